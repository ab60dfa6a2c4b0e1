-- After the move: the same bytes, in the same order, and the same functions.
SELECT checks.shows('the columns have the type', count(*) = 3 AND bool_and(format_type(atttypid, atttypmod) =
	CASE WHEN (attrelid, attname) = ('orders'::regclass, 'id'::name) THEN 'gid(o)' ELSE 'gid(c)' END))
FROM pg_attribute WHERE (attrelid, attname) IN (('orders'::regclass, 'id'), ('orders'::regclass, 'customer_id'), ('customers'::regclass, 'id'));
SELECT checks.shows('orders have the same bytes, in the same order', count(*) = 10000)
FROM checks.orders b JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM orders) a
ON (a.id::uuid, a.customer_id::uuid, a.item, a.place) = (b.id, b.customer_id, b.item, b.place);
SELECT checks.shows('the references are there, and checked', count(*) = 1 AND bool_and(convalidated))
FROM pg_constraint WHERE contype = 'f' AND conrelid = 'orders'::regclass AND confrelid = 'customers'::regclass;
BEGIN;
WITH new AS (INSERT INTO customers (name) VALUES ('new') RETURNING id)
INSERT INTO orders (customer_id, item) SELECT id, 'new' FROM new;
SELECT checks.shows('new ids sort after the old ones', (SELECT max(id) FROM customers WHERE name <> 'new') < (SELECT id FROM customers WHERE name = 'new')
	AND (SELECT max(id) FROM orders WHERE item <> 'new') < (SELECT id FROM orders WHERE item = 'new'));
ROLLBACK;

-- Each function gives what the type's gives.
CREATE TEMP TABLE ids AS
SELECT set_byte(uuid_send(gen_random_uuid()), 0, 128 + n % 128)::gid AS id FROM generate_series(1, 5000) n;
CREATE TEMP TABLE vector (id gid, hex text, compact text, kind text, unix_ms bigint);
\copy vector FROM '../../vectors/graft-minted.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
\copy vector FROM '../../vectors/edges.tsv' (FORMAT csv, DELIMITER E'\t', HEADER)
INSERT INTO ids SELECT id FROM vector;
SELECT checks.shows('text', count(*) > 5000 AND bool_and(gid.gid_text(id::uuid) = id::text AND gid.gid_compact(id::uuid) = gid_compact(id)))
FROM ids;
SELECT checks.shows('reading text', bool_and(gid.gid_parse(id::text) = id::uuid AND gid.gid_parse(gid_compact(id)) = id::uuid)) FROM ids;
SELECT checks.shows('kind and time', bool_and(gid.gid_kind(id::uuid) = gid_kind(id) AND gid.gid_timestamp(id::uuid) = gid_timestamp(id)))
FROM ids;
SELECT checks.shows('order', count(*) > 5000 AND bool_and(n = m))
FROM (SELECT row_number() OVER (ORDER BY id) AS n, row_number() OVER (ORDER BY id::uuid) AS m FROM ids) AS ids;
SELECT checks.shows('bounds', count(*) > 12000 AND bool_and(gid.gid_lower_bound(kind, at) = gid_lower_bound(kind, at)::uuid
	AND gid.gid_upper_bound(kind, at) = gid_upper_bound(kind, at)::uuid))
FROM checks.times, unnest('{volume, o, 254}'::text[]) AS kind;
SELECT checks.shows('what is minted', count(*) > 4000
	AND bool_and(gid_timestamp(gid.gid_random('o', at)::gid) = date_trunc('milliseconds', at) AND gid_kind(gid.gid_random('o', at)::gid) = 'o'))
FROM checks.times WHERE at BETWEEN '1970-01-01 00:00+00' AND '10889-08-02 05:31:50.655999+00';
SELECT checks.shows('invalid text', count(*) = 28
	AND bool_and('22P02' = ALL (ARRAY[checks.state_of(format('SELECT %L::gid', id)), checks.state_of(format('SELECT gid.gid_parse(%L)', id))])))
FROM checks.malformed;
