-- Functions and operators with the names and the arguments of those in pg_catalog, which a role that owns nothing can
-- create in the schema decoys.  Each raises an error.  If the schema is first in search_path, they are called wherever a
-- statement does not qualify a name.
CREATE TEMP TABLE usable AS SELECT oid FROM pg_type WHERE typtype <> 'p' OR typname ~ '^(any[a-z]+|record)$';

SELECT format('CREATE FUNCTION decoys.%I(%s) RETURNS %s LANGUAGE plpgsql AS $$ BEGIN RAISE %L; END $$', proname, oidvectortypes(proargtypes),
	CASE WHEN proretset THEN 'SETOF ' ELSE '' END || prorettype::regtype, 'a decoy is called: ' || oid::regprocedure)
FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND proargtypes::oid[] || prorettype <@ ARRAY(TABLE usable)
\gexec
SELECT format('CREATE OPERATOR decoys.%s (FUNCTION = decoys.%I, LEFTARG = %s, RIGHTARG = %s)',
	oprname, proname, oprleft::regtype, oprright::regtype)
FROM pg_operator JOIN pg_proc ON pg_proc.oid = oprcode
WHERE oprnamespace = 'pg_catalog'::regnamespace AND ARRAY[oprleft, oprright, oprresult] <@ ARRAY(TABLE usable)
\gexec
