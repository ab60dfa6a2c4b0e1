-- The writer has functions, operators and types that look like PostgreSQL's,
-- in a schema that its search_path has in front.  None of them is called.
\set ON_ERROR_STOP on
SELECT id AS order_id FROM orders LIMIT 1 \gset
BEGIN;
DO $$
DECLARE
	lure record;
BEGIN
	CREATE FUNCTION checks.caught() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog
	AS 'BEGIN RAISE ''a look-alike was called''; END';
	-- Each function of these names, each operator between these types, and
	-- operators between two of them, which PostgreSQL lacks and would prefer.
	FOR lure IN
		SELECT proname AS name, replace(pg_get_function_identity_arguments(oid), '"any"', 'text[]') AS arguments, prorettype::regtype AS result
		FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND proname IN ('ascii',
			'clock_timestamp', 'date_part', 'div', 'encode', 'extract', 'format', 'gen_random_uuid', 'get_byte', 'left',
			'lower', 'lpad', 'right', 'string_to_array', 'strpos', 'substr', 'to_hex', 'uuid_send')
			AND prorettype::regtype::text NOT LIKE 'any%'
	LOOP
		EXECUTE format('CREATE FUNCTION checks.%I(%s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM checks.caught(); END''',
			lure.name, lure.arguments, lure.result);
	END LOOP;
	FOR lure IN
		SELECT o.name, l, r, row_number() OVER () AS n, coalesce(result, 'numeric'::regtype) AS result
		FROM unnest('{int4,int8,numeric,text,uuid,timestamptz,bytea}'::regtype[]) AS l,
			unnest('{int4,int8,numeric,text,uuid,timestamptz,bytea}'::regtype[]) AS r,
			unnest('{=,<,<=,>,>=,~,||,+,-,*,/,%,&,|,<<}'::text[]) AS o (name)
		LEFT JOIN LATERAL (SELECT oprresult::regtype FROM pg_operator WHERE oprname = o.name AND oprleft = l AND oprright = r
			AND oprnamespace = 'pg_catalog'::regnamespace) AS p (result) ON true
		WHERE result IS NOT NULL OR l::text IN ('integer', 'bigint', 'numeric') AND r::text IN ('integer', 'bigint', 'numeric')
	LOOP
		EXECUTE format('CREATE FUNCTION checks.lure_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM checks.caught(); END''',
			lure.n, lure.l, lure.r, lure.result);
		EXECUTE format('CREATE OPERATOR checks.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = checks.lure_%s)',
			lure.name, lure.l, lure.r, lure.n);
	END LOOP;
	CREATE DOMAIN pg_temp.text AS int;
	CREATE DOMAIN pg_temp.uuid AS int;
	CREATE DOMAIN pg_temp.timestamptz AS int;
END $$;

SET LOCAL search_path = pg_temp, checks, pg_catalog;
\set ON_ERROR_STOP off
\set VERBOSITY sqlstate
SAVEPOINT a;
SELECT lower('X') \g /dev/null
\set function :SQLSTATE
ROLLBACK TO a;
SELECT 1::bigint + 1::numeric \g /dev/null
\set operator :SQLSTATE
ROLLBACK TO a;
SELECT 'X'::text \g /dev/null
\set type :SQLSTATE
ROLLBACK TO a;
INSERT INTO public.orders (id, customer_id, item) SELECT 'e3000000-0000-0000-0000-000000000000', customer_id, item FROM public.orders;
\set wrong_id :SQLSTATE
ROLLBACK TO a;
SELECT gid.gid_random('none') \g /dev/null
\set wrong_kind :SQLSTATE
ROLLBACK TO a;
SELECT gid.gid_random('o', '1969-12-31') \g /dev/null
\set wrong_time :SQLSTATE
ROLLBACK TO a;
SELECT gid.gid_parse('none') \g /dev/null
\set wrong_text :SQLSTATE
ROLLBACK TO a;
\set ON_ERROR_STOP on
\set VERBOSITY default
INSERT INTO public.customers (name) VALUES ('new') RETURNING id AS customer_id \gset
SELECT gid.gid_random('log', '2026-01-01 00:00+00') AS id, gid.gid_kind(:'order_id') AS kind,
	gid.gid_timestamp(:'order_id') AS at,
	gid.gid_lower_bound('o', '2026-01-01 00:00+00') AS lower, gid.gid_upper_bound('o', '2026-01-01 00:00+00') AS upper,
	gid.gid_text(:'order_id') AS id_text, gid.gid_compact(:'order_id') AS compact \gset
SELECT gid.gid_parse(:'id_text') AS parsed, gid.gid_parse(:'compact') AS parsed_compact \gset
ROLLBACK;

SELECT checks.shows('look-alikes are in front: a function, an operator and a type',
	(:'function', :'operator', :'type') = ('P0001', 'P0001', '22P02'));
SELECT checks.shows('the functions that mint call none of the twins',
	gid.gid_kind(:'customer_id') = 'c' AND gid.gid_kind(:'id') = 'log' AND gid.gid_timestamp(:'id') = '2026-01-01 00:00+00');
SELECT checks.shows('none by what reads ids', :'kind' = 'o' AND :'at' = gid.gid_timestamp(:'order_id'));
SELECT checks.shows('none by the bounds', (:'lower'::uuid, :'upper'::uuid)
	= (gid.gid_lower_bound('o', '2026-01-01 00:00+00'), gid.gid_upper_bound('o', '2026-01-01 00:00+00')));
SELECT checks.shows('none by text', (:'id_text', :'compact') = (gid.gid_text(:'order_id'), gid.gid_compact(:'order_id'))
	AND (:'parsed'::uuid, :'parsed_compact'::uuid) = (:'order_id', :'order_id'));
SELECT checks.shows('the errors are the same', (:'wrong_id', :'wrong_kind', :'wrong_time', :'wrong_text') = ('23514', '22023', '22008', '22P02'));
