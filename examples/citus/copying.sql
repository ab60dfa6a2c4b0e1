-- Rows are copied by repartition.  One worker has the rows and mints, the other one gets them.  Its commit takes time,
-- because a trigger is deferred.
CREATE TABLE sources (key int, tenant int);
SELECT create_distributed_table('sources', 'key', colocate_with => 'none') \g /dev/null
INSERT INTO sources SELECT 1, generate_series(1, 1000);
CREATE TABLE copies (id gid(n) DEFAULT gid_new('n'), tenant int);
SELECT create_distributed_table('copies', 'tenant', shard_count => 1, colocate_with => 'none') \g /dev/null
SELECT citus_move_shard_placement(c.shardid, c.nodename, c.nodeport, n.nodename, n.nodeport, 'block_writes')
FROM citus_shards c, citus_shards s, pg_dist_node n
WHERE c.table_name = 'copies'::regclass AND s.shardid = get_shard_id_for_distribution_column('sources', 1)
AND c.nodename = s.nodename AND shouldhaveshards AND n.nodename <> s.nodename \g /dev/null
CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(0.03);
    RETURN NULL;
END $$;
SELECT run_command_on_placements('copies', $$CREATE CONSTRAINT TRIGGER take_time AFTER INSERT ON %s
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.tenant = 5) EXECUTE FUNCTION take_time()$$) \g /dev/null
GRANT SELECT ON sources TO writer;
GRANT INSERT, SELECT ON copies TO writer;
GRANT SELECT ON copies TO poller;
