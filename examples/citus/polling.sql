-- Rows that are inserted through every node, and read after a cursor.
CREATE TABLE notes (
    id     gid(n) DEFAULT gid_new('n'),
    tenant int,
    PRIMARY KEY (tenant, id)
);
SELECT create_distributed_table('notes', 'tenant', shard_count => 8, colocate_with => 'none') \g /dev/null

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

-- Ordinary roles, with all the privileges that they need.
CREATE ROLE writer LOGIN;
CREATE ROLE poller LOGIN;
CREATE ROLE announcer LOGIN;
GRANT INSERT, SELECT ON notes TO writer;
GRANT SELECT ON notes, horizons TO poller;
GRANT SELECT, UPDATE ON horizons TO announcer;
