EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
SELECT count(body) FROM segments WHERE id >= now() - interval '1 hour';
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
SELECT count(body) FROM segments_by_uuid WHERE created_at >= now() - interval '1 hour';
