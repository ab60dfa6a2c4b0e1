-- Orders of the last hour, replicated to another database.
\getenv password PGPASSWORD
\set original :DBNAME
\set copy :DBNAME '_copy'
\set server 'host=' :HOST ' port=' :PORT ' user=' :USER ' password=' :password ' dbname='
\set original_dsn :server :original
\set copy_dsn :server :copy

CREATE EXTENSION pglogical;
-- Newer minor versions take only plugins that are listed.
SELECT format('ALTER DATABASE %I SET %I = pgoutput, pglogical_output', :'original', name)
FROM pg_settings WHERE name = 'output_plugin_libraries' \gexec
SELECT now() - interval '1 hour' AS since \gset
SELECT pglogical.create_node('original', :'original_dsn') \g /dev/null
SELECT pglogical.replication_set_add_table('default', 'orders',
                                           row_filter => format('id >= timestamptz %L', :'since')) \g /dev/null

\connect :copy
CREATE EXTENSION gid;
CREATE EXTENSION pglogical;
CREATE TABLE orders (id gid(o) PRIMARY KEY, customer gid(c) NOT NULL, item text NOT NULL);
SELECT pglogical.create_node('copy', :'copy_dsn') \g /dev/null
SELECT pglogical.create_subscription('orders', :'original_dsn') \g /dev/null
SELECT pglogical.wait_for_subscription_sync_complete('orders') \g /dev/null
SELECT json_agg(orders ORDER BY id) AS copied FROM orders \gset

\connect :original
SELECT shows('pglogical: rows are copied, by a range of time',
             json_agg(orders ORDER BY id)::text = :'copied' AND count(*) BETWEEN 100 AND 9900)
FROM orders WHERE id >= :'since'::timestamptz;
SET ROLE extensions_clerk;
INSERT INTO orders (customer, item) SELECT id, 'replicated' FROM customers;
UPDATE orders SET id = gid_new('o'), item = 'renumbered' WHERE item = 'item 31';
DELETE FROM orders WHERE item = 'item 32';
RESET ROLE;
SELECT pglogical.wait_slot_confirm_lsn(NULL, NULL) \g /dev/null

\connect :copy
SELECT json_agg(orders ORDER BY id) AS replicated FROM orders \gset
SELECT pglogical.drop_subscription('orders') \g /dev/null

\connect :original
SELECT shows('pglogical: what is written is replicated, new ids too',
             json_agg(orders ORDER BY id)::text = :'replicated' AND :'replicated' <> :'copied')
FROM orders WHERE id >= :'since'::timestamptz;
