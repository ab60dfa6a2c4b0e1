-- This loses rows: the query of each shard calls gid_settled on its worker, which knows nothing of the other nodes.
\set cursor `tail -n 1 "$SEEN"`
SELECT id FROM notes WHERE id > :'cursor' AND id < gid_settled('n')
ORDER BY id LIMIT 1000 \g |cat >>"$SEEN"
