-- A chunk for each tenth of a second, so that writers create chunks while a program polls.
CREATE TABLE live (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int);
SELECT create_hypertable('live', by_range('id', INTERVAL '100 ms', partition_func => 'gid_timestamp')) \g /dev/null

CREATE TABLE slow (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int);
SELECT create_hypertable('slow', by_range('id', INTERVAL '1 s', partition_func => 'gid_timestamp')) \g /dev/null
-- Returns 0 after the session "late" has ended. The planner calls the function for its estimates.
CREATE FUNCTION after_late() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
    WHILE EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'late') LOOP
        PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
    END LOOP;
    RETURN 0;
END $$;
