-- A transaction that creates a chunk commits after a poll was planned, and before it is executed.
CREATE TABLE live (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int);
SELECT create_hypertable('live', by_range('id', INTERVAL '1 ms', partition_func => 'gid_timestamp')) \g /dev/null
CREATE FUNCTION wait_until(condition text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    holds boolean := false;
BEGIN
    WHILE NOT holds LOOP
        PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
        EXECUTE 'SELECT ' || condition INTO holds;
    END LOOP;
    RETURN 0;
END $$;
-- Lets the transaction commit, and returns 0 after its session has ended.  The planner calls the function for its estimates.
CREATE FUNCTION after_late() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM pg_advisory_unlock_all();
    RETURN wait_until('NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = ''late'')');
END $$;
\setenv LATE 'PGAPPNAME=late psql -Xqc BEGIN -c "SELECT gid_new(\'e\')" -c "SELECT pg_advisory_lock(1)" -c "INSERT INTO live (n) VALUES (1)" -c COMMIT >late.log &'
SELECT pg_advisory_lock(1) \g /dev/null
\! eval "$LATE"
SELECT wait_until('EXISTS (SELECT FROM pg_locks WHERE locktype = ''advisory'' AND NOT granted)') \g /dev/null
INSERT INTO live (n) VALUES (2);
WITH polled AS MATERIALIZED (SELECT n FROM live WHERE id < gid_settled('e'))
SELECT shows('with gid_settled in the same statement, a row in a new chunk is missed', string_agg(n::text, ' ') = '2')
FROM polled, generate_series(1, 1) one WHERE one > after_late();

DELETE FROM live;
SELECT pg_advisory_lock(1) \g /dev/null
\! eval "$LATE"
SELECT wait_until('EXISTS (SELECT FROM pg_locks WHERE locktype = ''advisory'' AND NOT granted)') \g /dev/null
INSERT INTO live (n) VALUES (2);
SELECT gid_settled('e') AS horizon \gset
WITH polled AS MATERIALIZED (SELECT n FROM live WHERE id < :'horizon')
SELECT shows('with the horizon of an earlier statement, the poll waits for that row', count(*) = 0)
FROM polled, generate_series(1, 1) one WHERE one > after_late();
SELECT gid_settled('e') AS horizon \gset
SELECT shows('the next poll reads both rows, in order', array_agg(n ORDER BY id) = '{1,2}') FROM live WHERE id < :'horizon';
