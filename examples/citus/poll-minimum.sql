-- The horizon is fetched by a statement of its own. Without a horizon the poll reads nothing.
\set cursor `tail -n 1 "$SEEN"`
SELECT coalesce(settled_on_all_nodes('n'), :'cursor') AS horizon \gset
SELECT id FROM notes WHERE id > :'cursor' AND id < :'horizon' ORDER BY id LIMIT 1000 \g |cat >>"$SEEN"
