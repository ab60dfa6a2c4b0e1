-- Are ids sealed as others seal them, who can unseal them, and what does a new key change?
\set ON_ERROR_STOP on
\i ../checks.sql
GRANT USAGE ON SCHEMA checks TO web;
GRANT web TO CURRENT_USER;

-- Each key of the vectors alone.
CREATE TABLE checks.vector (key text, id gid, hex text, sealed uuid);
\copy checks.vector FROM '../../vectors/sealed/aes-128.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
CREATE TABLE checks.results AS SELECT *, sealed AS made, ARRAY[id] AS back FROM checks.vector WHERE false;
BEGIN;
DO $$
DECLARE
	one text;
BEGIN
	FOR one IN SELECT DISTINCT key FROM checks.vector LOOP
		DELETE FROM sealing.keys;
		INSERT INTO sealing.keys (key) VALUES (decode(one, 'hex'));
		INSERT INTO checks.results SELECT *, seal(id), CASE WHEN gid_prefix(id) < 255 THEN unseal(gid_kind(id), sealed) END
		FROM checks.vector WHERE key = one;
	END LOOP;
END $$;
SELECT checks.shows('the vectors are sealed as openssl sealed them', count(*) = 49 AND bool_and(made = sealed AND id::bytea = decode(hex, 'hex')))
FROM checks.results;
SELECT checks.shows('ids whose byte 7 is the prefix or 255 are unsealed', count(*) FILTER (WHERE back = ARRAY[id]) BETWEEN 26 AND 40
	AND bool_and((back = ARRAY[id]) = (substr(hex, 15, 2) IN (left(hex, 2), 'ff'))))
FROM checks.results WHERE gid_prefix(id) < 255;
ROLLBACK;
SELECT checks.shows('a sealed id is of no other kind', unseal('c', seal(gid_new('o'))) = '{}' AND unseal('c', seal(gid_random('o'))) = '{}');

-- Privileges.  Between two transactions, any role could unseal.
SELECT checks.shows('unseal is created and revoked in one transaction', count(*) > 0 AND bool_and(d.xmin = p.xmin))
FROM pg_proc p JOIN pg_depend d ON classid = 'pg_proc'::regclass AND objid = p.oid WHERE p.oid = 'unseal(text, uuid)'::regprocedure;
SELECT checks.shows(format('other roles cannot call %s', function), NOT has_function_privilege('public', function, 'EXECUTE'))
FROM unnest('{"seal(gid)", "unseal(text, uuid)", shown_order(sealed_order_id)}'::text[]) AS function;
SELECT seal(id) AS sealed, item FROM orders ORDER BY id LIMIT 1 \gset
SET ROLE web;
SELECT checks.shows('the program sees sealed ids', count(*) = 10000 AND count(*) FILTER (WHERE id = :'sealed') = 1) FROM shown_orders;
SELECT checks.shows('a client finds an order by its sealed id', count(*) = 1 AND bool_and(id = :'sealed' AND item = :'item')) FROM shown_order(:'sealed');
SELECT checks.shows(format('the program cannot: %s', statement), checks.state_of(statement) = '42501')
FROM unnest(ARRAY['SELECT * FROM sealing.keys', 'SELECT * FROM orders',
	$$SELECT unseal('o', '00000000-0000-0000-0000-000000000000')$$]) AS statement;
RESET ROLE;

-- A new key.
INSERT INTO sealing.keys (key) VALUES (gen_random_bytes(16));
SELECT seal(id) AS newly_sealed FROM orders WHERE item = :'item' \gset
SELECT checks.shows('what both keys have sealed leads to the order',
	:'newly_sealed' <> :'sealed' AND count(*) = 2 AND bool_and(id = :'newly_sealed' AND item = :'item'))
FROM unnest(ARRAY[:'sealed', :'newly_sealed']::uuid[]) AS sealed, shown_order(sealed);
DELETE FROM sealing.keys WHERE number < (SELECT max(number) FROM sealing.keys);
SELECT checks.shows('without the old key its ids lead nowhere', count(*) = 1 AND bool_and(sealed = :'newly_sealed'))
FROM unnest(ARRAY[:'sealed', :'newly_sealed']::uuid[]) AS sealed, shown_order(sealed);
