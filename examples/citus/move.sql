-- Moves half of the shards to the other worker. A move that meets a deadlock with a writer is given up.
\set ON_ERROR_STOP off
SELECT format($$SELECT citus_move_shard_placement(%s, %L, %s, %L, %s, 'block_writes') IS NOT NULL$$,
              shardid, nodename, nodeport, other.name, other.port)
FROM citus_shards,
LATERAL (SELECT n.nodename, n.nodeport FROM pg_dist_node n WHERE shouldhaveshards AND n.nodename <> citus_shards.nodename) other(name, port)
WHERE table_name = 'notes'::regclass ORDER BY shardid LIMIT 4 \gexec
