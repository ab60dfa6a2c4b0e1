-- Rows that are inserted through every node, and read after a cursor.
CREATE TABLE notes (
    id     gid(n) DEFAULT gid_new('n'),
    tenant int,
    PRIMARY KEY (tenant, id)
);
SELECT create_distributed_table('notes', 'tenant', shard_count => 8, colocate_with => 'none') \g /dev/null

-- Waits until the transactions that are prepared on this node now have ended. Citus creates the function on all nodes.
CREATE FUNCTION finish_prepared() RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    unfinished text[] := ARRAY(SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'citus\_%');
BEGIN
    WHILE EXISTS (SELECT FROM pg_prepared_xacts WHERE gid = ANY (unfinished)) LOOP
        PERFORM pg_sleep(0.001);
    END LOOP;
    RETURN true;
END $$;

-- The first way: the minimum of all nodes. It is NULL if a node did not answer, or answered NULL.
CREATE FUNCTION settled_on_all_nodes(kind text) RETURNS gid LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    horizon gid;
BEGIN
    SELECT CASE WHEN bool_and(success AND result <> '') THEN min(result COLLATE "C") END INTO horizon
    FROM run_command_on_all_nodes(format('SELECT gid_settled(%L)', kind));
    IF (SELECT bool_and(success) FROM run_command_on_all_nodes('SELECT finish_prepared()')) THEN
        RETURN horizon;
    END IF;
    RETURN NULL;
END $$;

-- The second way: each node announces its horizon in a table that is copied to all nodes.
CREATE TABLE horizons (
    server  int PRIMARY KEY,
    settled gid(n) NOT NULL DEFAULT gid_lower_bound('n', '-infinity')
);
SELECT create_reference_table('horizons') \g /dev/null
INSERT INTO horizons SELECT generate_series(0, 2);
CREATE PROCEDURE announce() LANGUAGE plpgsql AS $$
DECLARE
    horizon gid := gid_settled('n');
BEGIN
    IF (SELECT bool_and(success) FROM run_command_on_all_nodes('SELECT finish_prepared()')) THEN
        UPDATE horizons SET settled = greatest(settled, horizon)
        WHERE server = current_setting('gid.node')::int;
    END IF;
END $$;

-- Not to be called in a query of notes: each worker would use its own horizon.
CREATE FUNCTION horizon_of_node(kind text) RETURNS gid LANGUAGE plpgsql STABLE AS $$
DECLARE
    horizon gid := gid_settled(kind);
BEGIN
    RETURN horizon;
END $$;

-- Ordinary roles, with all the privileges that they need.
CREATE ROLE writer LOGIN;
CREATE ROLE poller LOGIN;
CREATE ROLE announcer LOGIN;
GRANT INSERT, SELECT ON notes TO writer;
GRANT SELECT ON notes, horizons TO poller;
GRANT SELECT, UPDATE ON horizons TO announcer;
