-- The tables: one kind each, references, and ranges of time by the primary key.
SELECT checks.shows('ids are made by default', count(*) = 100 AND bool_and(gid.gid_kind(id) = 'c'
	AND gid.gid_timestamp(id) > now() - interval '1 minute')) FROM customers;
SELECT checks.shows('another kind is rejected', checks.state_of($$INSERT INTO customers (id, name) VALUES (gid.gid_random('o'), 'wrong')$$) = '23514');
SELECT checks.shows('a uuid that is not a gid is rejected', checks.state_of($$INSERT INTO customers (id, name) VALUES (gen_random_uuid(), 'wrong')$$) IN ('23514')
	AND checks.state_of($$INSERT INTO customers (id, name) VALUES ('ffffffff-0000-0000-0000-000000000000', 'wrong')$$) = '23514');
SELECT checks.shows('the first and the last id of a kind are of it', checks.state_of($$SELECT
	'ef000000-0000-0000-0000-000000000000'::order_id, 'efffffff-ffff-ffff-ffff-ffffffffffff'::order_id$$) = 'no error'
	AND checks.state_of($$SELECT 'eeffffff-ffff-ffff-ffff-ffffffffffff'::order_id$$) = '23514'
	AND checks.state_of($$SELECT 'f0000000-0000-0000-0000-000000000000'::order_id$$) = '23514');
SELECT checks.shows('a reference to nothing is rejected',
	checks.state_of($$INSERT INTO orders (customer_id, item) VALUES (gid.gid_random('c'), 'none')$$) = '23503');

CREATE TEMP TABLE ranges AS SELECT now() - interval '1 day' AS since, now() - interval '1 hour' AS until;
SELECT checks.shows('a range of time', count(*) = 1380) FROM orders, ranges
WHERE id >= gid.gid_lower_bound('o', since) AND id < gid.gid_lower_bound('o', until);
SELECT checks.shows(format('by the primary key: %s', query), count(line) = 1)
FROM unnest(ARRAY[
	$$SELECT * FROM orders WHERE id >= gid.gid_lower_bound('o', now() - interval '1 hour')$$,
	$$SELECT * FROM orders WHERE id >= gid.gid_lower_bound('o', '2026-01-01') AND id < gid.gid_lower_bound('o', '2026-01-02')$$,
	$$SELECT * FROM orders WHERE id < gid.gid_upper_bound('o', now() - interval '6 days 22 hours')$$,
	$$SELECT * FROM orders WHERE id > gid.gid_lower_bound('o', now() - interval '1 hour') ORDER BY id DESC LIMIT 50$$]) AS query
LEFT JOIN LATERAL checks.plan_of(query) AS line
ON line ~ '^ +Index Cond: .*id\)?::uuid.* [<>]=? (gid\.gid_(lower|upper)_bound|''ef)' GROUP BY query;
PREPARE since (timestamptz) AS SELECT count(*) FROM orders WHERE id >= gid.gid_lower_bound('o', $1);
SET plan_cache_mode = force_generic_plan;
SELECT checks.shows('in a prepared statement as well', count(*) = 1)
FROM checks.plan_of($$EXECUTE since (now() - interval '1 hour')$$) AS line
WHERE line ~ '^ +Index Cond: .*gid_lower_bound\(''o''::text, \$1\)';
RESET plan_cache_mode;

-- What there was, for after the move.
CREATE TABLE checks.orders AS
SELECT id::uuid, customer_id::uuid, item, row_number() OVER (ORDER BY id) AS place FROM orders;
