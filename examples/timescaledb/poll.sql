-- The horizon is fetched by a statement of its own, before the planner chooses the chunks.
\set cursor `tail -n 1 seen`
SELECT gid_settled('e') AS horizon \gset
SELECT id FROM live WHERE id > :'cursor' AND id < :'horizon' ORDER BY id LIMIT 1000 \g |cat >>seen
