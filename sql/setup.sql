-- What all other tests use: the extension, two functions, and the vectors.

-- Runs a statement and says how it failed: SQLSTATE, message, detail, hint.
CREATE FUNCTION error_of(statement text, OUT state text, OUT message text,
						 OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	state := 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE,
		message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT;
END $$;

-- The lines of a plan.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query;
END $$;

-- pg_stat_statements and other libraries would add query identifiers to plans.
ALTER DATABASE :"DBNAME" SET compute_query_id = regress;

-- As on a hardened server, so that all tests show that gid does not depend on default
-- privileges.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM PUBLIC;
CREATE EXTENSION gid;

-- The ids to test with: real ones from Graft, and the corners of the space.
CREATE TABLE vector (id text COLLATE "C", hex text, compact text COLLATE "C",
					 kind text, unix_ms bigint);
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
\copy vector FROM 'vectors/graft-minted.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
\copy vector FROM 'vectors/edges.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
SELECT count(*) FROM vector;
