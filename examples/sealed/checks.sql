-- Are ids sealed as others seal them, does the key stay secret, and how little
-- of what is forged gets through?
\set ON_ERROR_STOP on
\i ../checks.sql
GRANT USAGE ON SCHEMA checks TO web;
GRANT web TO CURRENT_USER;

CREATE TABLE checks.vector (key text, id gid, hex text, sealed uuid);
\copy checks.vector FROM '../../vectors/sealed/aes-128.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)

-- Under each key of the vectors alone.
CREATE FUNCTION checks.with_key(one text) RETURNS void LANGUAGE sql AS $$
	DELETE FROM sealing.keys;
	INSERT INTO sealing.keys (key) VALUES (decode(one, 'hex'));
$$;
BEGIN;
CREATE TABLE checks.results AS SELECT id, sealed, seal(id) AS made, unseal(gid_kind(id), sealed) AS back, hex
FROM checks.vector WHERE false;
DO $$
DECLARE
	one text;
BEGIN
	FOR one IN SELECT DISTINCT key FROM checks.vector LOOP
		PERFORM checks.with_key(one);
		INSERT INTO checks.results SELECT id, sealed, seal(id), CASE WHEN gid_prefix(id) < 255 THEN unseal(gid_kind(id), sealed) END, hex
		FROM checks.vector WHERE key = one;
	END LOOP;
END $$;
SELECT checks.shows('the vectors are sealed as openssl sealed them', count(*) = 49 AND bool_and(made = sealed AND id::bytea = decode(hex, 'hex')))
FROM checks.results;
SELECT checks.shows('ids whose byte 7 is the prefix or 255 are unsealed', count(*) FILTER (WHERE back = ARRAY[id]) BETWEEN 26 AND 40
	AND bool_and((back = ARRAY[id]) = (substr(hex, 15, 2) IN (left(hex, 2), 'ff'))))
FROM checks.results WHERE gid_prefix(id) < 255;
ROLLBACK;

SELECT checks.shows('each id has one sealed form, and it leads back', count(*) = 10000 AND count(DISTINCT sealed) = 10000
	AND bool_and(unseal('o', sealed) = ARRAY[id])) FROM (SELECT id, seal(id) AS sealed FROM orders) AS orders;
SELECT checks.shows('it tells no order', abs(count(*) FILTER (WHERE sealed > before) - 5000) < 500)
FROM (SELECT sealed, lag(sealed) OVER (ORDER BY id) AS before FROM (SELECT id, seal(id) AS sealed FROM orders) AS o) AS o;
SELECT checks.shows('it is of no other kind', bool_and(unseal('c', seal(id)) = '{}')) FROM orders;
SELECT checks.shows('an order is found by the primary key', count(*) = 1)
FROM checks.plan_of($$SELECT * FROM orders WHERE id = ANY (unseal('o', '7d0a1578-4233-a9a5-bc21-9f7b4f37ed22'))$$) AS line
WHERE line ~ '^ +Index Cond: \(id = ANY \(unseal\(';

PREPARE next_page(uuid) AS
SELECT seal(id), item FROM orders WHERE id < ANY (unseal('o', $1)) ORDER BY id DESC LIMIT 50;
SELECT seal(id) AS last FROM orders ORDER BY id DESC OFFSET 49 LIMIT 1 \gset
CREATE FUNCTION checks.pages(last uuid) RETURNS TABLE (sealed uuid, item text) LANGUAGE plpgsql
AS $$ BEGIN RETURN QUERY EXECUTE format('EXECUTE next_page(%L)', last); END $$;
SELECT checks.shows('pages follow each other', array_agg(sealed) = (SELECT array_agg(seal(id)) FROM (SELECT id FROM orders
	ORDER BY id DESC OFFSET 50 LIMIT 50) AS orders)) FROM checks.pages(:'last');

-- A forged one: 2 of 2^16 pass, 9.2 of 300,000; without the check of byte 7, 1,172 would.
WITH forged AS MATERIALIZED (SELECT unseal('o', encode(gen_random_bytes(16), 'hex')::uuid) AS ids FROM generate_series(1, 300000))
SELECT checks.shows(format('of 300,000 forged ids %s get through', passed), passed < 35) FROM (SELECT sum(cardinality(ids)) AS passed FROM forged) f;
SELECT checks.shows('forged values find no order', count(*) = 0)
FROM generate_series(1, 1000), shown_order(encode(gen_random_bytes(16), 'hex')::uuid);

-- The key, and who may do what.
SELECT seal(id) AS sealed, item, gid_make('o', '2026-01-01', 1) AS known, seal(gid_make('o', '2026-01-01', 1)) AS sealed_known
FROM orders ORDER BY id LIMIT 1 \gset
SET ROLE web;
SELECT checks.shows('the program sees sealed ids', count(*) = 10000 AND count(*) FILTER (WHERE id = :'sealed') = 1) FROM shown_orders;
SELECT checks.shows('a client finds an order by its sealed id', count(*) = 1 AND bool_and(id = :'sealed' AND item = :'item')) FROM shown_order(:'sealed');
SELECT checks.shows(format('it cannot: %s', statement), checks.state_of(statement) = '42501')
FROM unnest(ARRAY['SELECT * FROM sealing.keys', 'SELECT * FROM orders',
	$$SELECT unseal('o', '00000000-0000-0000-0000-000000000000')$$]) AS statement;
CREATE TEMP TABLE keys (number int, key bytea);
CREATE FUNCTION pg_temp.encrypt(bytea, bytea, text) RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RAISE 'key: %', $2; END $$;
SET search_path = pg_temp, public;
SELECT checks.shows('functions and tables of its own are not what is called', seal(:'known') = :'sealed_known');
RESET search_path;
RESET ROLE;

-- A new key.
INSERT INTO sealing.keys (key) VALUES (gen_random_bytes(16));
SELECT seal(id) AS newly_sealed FROM orders WHERE item = :'item' \gset
SELECT checks.shows('a new key seals otherwise', :'newly_sealed' <> :'sealed');
SELECT checks.shows('what both have sealed leads to the order', count(*) = 2 AND bool_and(id = :'newly_sealed' AND item = :'item'))
FROM unnest(ARRAY[:'sealed', :'newly_sealed']::uuid[]) AS sealed, shown_order(sealed);
SELECT checks.shows('for each order', count(*) = 10000 AND bool_and(id = ANY (unseal('o', seal(id))))) FROM orders;
DELETE FROM sealing.keys WHERE number < (SELECT max(number) FROM sealing.keys);
SELECT checks.shows('without the old key its ids lead nowhere', count(*) = 1 AND bool_and(sealed = :'newly_sealed'))
FROM unnest(ARRAY[:'sealed', :'newly_sealed']::uuid[]) AS sealed, shown_order(sealed);
