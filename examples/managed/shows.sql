-- What the checks share.
CREATE SCHEMA checks;
CREATE FUNCTION checks.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what
$$;
CREATE FUNCTION checks.state_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE FUNCTION checks.plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query;
END $$;
CREATE FUNCTION checks.rows_of(query text) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE TABLE checks.times AS
SELECT at::timestamptz FROM unnest(ARRAY['-infinity', '4714-11-24 00:00+00 BC', '1969-12-31 23:59:59.999999+00',
	'1970-01-01 00:00:00+00', '1970-01-01 00:00:00.000001+00', '1970-01-01 00:00:00.000999+00',
	'1970-01-01 00:00:00.001+00', '1970-01-01 00:00:00.001001+00', '2025-11-29 19:02:20.07+00',
	'2025-11-29 19:02:20.069999+00', '2025-11-29 19:02:20.070001+00', '10889-08-02 05:31:50.654999+00',
	'10889-08-02 05:31:50.655+00', '10889-08-02 05:31:50.655001+00', '10889-08-02 05:31:50.656+00',
	'294276-12-31 23:59:59.999999+00', 'infinity']) AS at
UNION ALL SELECT timestamptz '1970-01-01 00:00+00' + random() * interval '8900 years' FROM generate_series(1, 2000);
-- Random times have microseconds; these are whole milliseconds.
INSERT INTO checks.times SELECT date_trunc('milliseconds', at) FROM checks.times WHERE isfinite(at);
CREATE TABLE checks.malformed AS
SELECT * FROM unnest(ARRAY['', '-', '8H24TMQEGM-1111111111111x', '8H24TMQEGM1111111111111', '8H24TMQEGM_1111111111111',
	'8H24TMQEG-11111111111111', '8H24TMQEGM-111111111111', ' 8H24TMQEGM-1111111111111', '8H24TMQEGM-1111111111111 ',
	E'8H24TMQEGM-1111111111111\n', '0H24TMQEGM-1111111111111', '8H24TMQEGM-111111111111O', '8H24TMQEGM-11111111111I1',
	'8H24TMQEGM-11111111111l1', '8H24TMQEGM-1111111é11111', '1111111111-1111111111111', '5rLWQQkJdl-zzzzzzzzzzzzz',
	'zzzzzzzzzz-1111111111111', 'Ahg1opVcGX-1111111111111', 'Ahg1opVcGW-4FzkJ37568tQw', 'Ahg1opVcGW-zzzzzzzzzzzzz',
	'GokLUsho3eiVvNYNd1wgf', 'GokLUsho3eiVvNYNd1wgfyy', 'GokLUsho3eiVvNYNd1wgfx', 'YcVfxkQb6JRzqk5kF2tNLw',
	'zzzzzzzzzzzzzzzzzzzzzz', '1111111111111111111111', 'ef01a1ff-8f1e-c6ef-3b2a-70615ddcb39b']) AS id;
