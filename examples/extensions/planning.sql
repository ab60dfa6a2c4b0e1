-- Indexes that are not there, statistics of statements, and tests of a schema.
CREATE EXTENSION hypopg;
CREATE EXTENSION pg_stat_statements;
CREATE EXTENSION pgtap;

CREATE TABLE archive AS SELECT id, item FROM orders;
ANALYZE archive;
GRANT SELECT ON archive TO extensions_clerk;
SET ROLE extensions_clerk;
SELECT indexname AS btree FROM hypopg_create_index('CREATE INDEX ON archive (id)') \gset
SELECT shows('hypopg: a time range takes an index that is not there',
             array_agg(line) @> ARRAY['Index Scan using ' || quote_ident(:'btree') || ' on archive']
             AND bool_or(line LIKE '%Index Cond: (id >= gid_lower_bound(''o''::text, %'))
FROM plan_of('SELECT * FROM archive WHERE id >= now() - interval ''1 hour''') line;

SELECT min(id) AS first, max(id) AS last FROM orders \gset
RESET ROLE;
SELECT pg_stat_statements_reset() \g /dev/null
SET ROLE extensions_clerk;
SELECT item FROM orders WHERE id = :'first' \g /dev/null
SELECT item FROM orders WHERE id = :'last' \g /dev/null
SELECT item FROM orders WHERE id >= timestamptz '2026-01-01' LIMIT 1 \g /dev/null
SELECT item FROM orders WHERE id >= timestamptz '2026-02-01' LIMIT 1 \g /dev/null
RESET ROLE;
SELECT shows('pg_stat_statements: queries that differ by an id are one entry',
             array_agg(calls) FILTER (WHERE query = 'SELECT item FROM orders WHERE id = $1') = '{2}')
FROM pg_stat_statements;
SELECT shows('pg_stat_statements: likewise by a time',
             array_agg(calls) FILTER (WHERE query = 'SELECT item FROM orders WHERE id >= timestamptz $1 LIMIT $2') = '{2}')
FROM pg_stat_statements;

-- pgTAP prints "ok" itself; a test that has to fail is turned round.
SET ROLE extensions_clerk;
SELECT no_plan() \g /dev/null
SELECT col_type_is('orders', 'id', 'gid(o)', 'pgTAP: col_type_is with the kind');
SELECT shows('pgTAP: col_type_is fails with another kind',
             col_type_is('orders', 'id', 'gid(c)', 'another kind') LIKE 'not ok %have: gid(o)%want: gid(c)%');
SELECT domain_type_is('order_id', 'gid', 'pgTAP: domain_type_is without the kind');
SELECT shows('pgTAP: domain_type_is fails with the kind',
             domain_type_is('order_id', 'gid(o)', 'the kind') LIKE 'not ok %have: gid%want: gid(o)%');
SELECT col_default_is('orders', 'id', 'gid_new(''o''::text)', 'pgTAP: col_default_is');
SELECT fk_ok('orders', 'customer', 'customers', 'id', 'pgTAP: fk_ok');
SELECT throws_ok('INSERT INTO customers SELECT id, item FROM orders', '22023',
                 'gid of kind "o" does not match type gid(c)', 'pgTAP: throws_ok for the wrong kind');
SELECT results_eq('SELECT id FROM orders ORDER BY id', 'SELECT id FROM orders ORDER BY id::text COLLATE "C"',
                  'pgTAP: results_eq');
