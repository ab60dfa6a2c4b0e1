SELECT relname AS table, pg_size_pretty(pg_relation_size(oid)) AS rows,
       pg_size_pretty(pg_indexes_size(oid)) AS indexes, pg_size_pretty(pg_total_relation_size(oid)) AS total
FROM pg_class WHERE relname IN ('segments', 'segments_by_uuid') ORDER BY relname;
