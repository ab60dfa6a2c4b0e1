-- The horizons that all nodes have announced. With min() Citus reads them once, before it reads the shards.
\set cursor `tail -n 1 "$SEEN"`
SELECT id FROM notes WHERE id > :'cursor' AND id < (SELECT min(settled) FROM horizons)
ORDER BY id LIMIT 1000 \g |cat >>"$SEEN"
