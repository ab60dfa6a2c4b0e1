-- A role that owns nothing, and has no privilege, cannot seal and unseal.
CREATE FUNCTION pg_temp.state_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT CASE WHEN pg_temp.state_of(statement) = expected THEN 'ok - ' ELSE 'not ok - ' END
	|| format('a stranger cannot, %s: %s', :'when', statement)
FROM (VALUES ($$SELECT seal(gid_make('o', '2026-01-01', 1))$$, :'state'),
	($$SELECT unseal('o', '7d0a1578-4233-a9a5-bc21-9f7b4f37ed22')$$, :'state'),
	('SELECT * FROM sealing.keys', '42501')) AS statements (statement, expected);
