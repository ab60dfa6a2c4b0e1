CREATE FUNCTION shows(what text, holds boolean) RETURNS text LANGUAGE sql
RETURN CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what;

-- The plan of a statement, in one string, after the statement was executed.
CREATE FUNCTION plan_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || statement LOOP
        plan := plan || line || E'\n';
    END LOOP;
    RETURN plan;
END $$;

CREATE FUNCTION chunks() RETURNS bigint LANGUAGE sql
RETURN (SELECT count(*) FROM timescaledb_information.chunks WHERE hypertable_name = 'events');
-- How many chunks end before a time.
CREATE FUNCTION chunks_before(at timestamptz) RETURNS bigint LANGUAGE sql
RETURN (SELECT count(*) FROM timescaledb_information.chunks
        WHERE hypertable_name = 'events' AND to_timestamp(range_end_integer / 1000000.0) <= at);

-- How many chunks a statement excludes: when it is planned, when the executor
-- starts, and while it runs.
CREATE FUNCTION excluded(statement text, OUT planning bigint, OUT startup bigint, OUT running bigint) LANGUAGE plpgsql AS $$
DECLARE
    plan text := plan_of(statement);
    named bigint := (SELECT count(DISTINCT name[1]) FROM regexp_matches(plan, ' on (_hyper_\w+_chunk)', 'g') name);
BEGIN
    startup := coalesce(substring(plan FROM 'Chunks excluded during startup: (\d+)')::bigint, 0);
    running := coalesce(substring(plan FROM 'Chunks excluded during runtime: (\d+)')::bigint, 0);
    planning := chunks() - named - startup;
END $$;

-- Whether a statement with a time excludes the chunks before that time in this
-- phase, and no chunk in another.  The phase is planning, startup, running or never.
CREATE FUNCTION excludes(phase text, statement text, at timestamptz) RETURNS text LANGUAGE sql
RETURN (SELECT shows(format('%s: %s of %s chunks are excluded (%s)', regexp_replace(statement, 'SELECT .* WHERE ', ''),
                            planning + startup + running, chunks(), phase),
                     chunks_before(at) > 3 AND
                     (planning, startup, running) = (CASE phase WHEN 'planning' THEN chunks_before(at) ELSE 0 END,
                                                     CASE phase WHEN 'startup' THEN chunks_before(at) ELSE 0 END,
                                                     CASE phase WHEN 'running' THEN chunks_before(at) ELSE 0 END))
        FROM excluded(statement));
