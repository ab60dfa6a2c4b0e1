-- Rows that come from elsewhere, or in another shape.
CREATE EXTENSION file_fdw;
CREATE EXTENSION dblink;
CREATE EXTENSION hstore;
CREATE EXTENSION tablefunc;

\set file `pwd` '/orders.csv'
COPY orders TO :'file' (FORMAT csv);
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE filed (id gid(o), customer gid(c), item text)
SERVER files OPTIONS (filename :'file', format 'csv');
CREATE FOREIGN TABLE wrongly_filed (id gid(c), customer gid(c), item text)
SERVER files OPTIONS (filename :'file', format 'csv');
GRANT SELECT ON filed, wrongly_filed TO extensions_clerk;
SET ROLE extensions_clerk;
SELECT shows('file_fdw: ids of a file, by a range of time',
             array_agg(filed) = (SELECT array_agg(orders::text::filed) FROM orders
                                 WHERE id >= now() - interval '1 hour' AND id < now() - interval '30 minutes'))
FROM filed WHERE id >= now() - interval '1 hour' AND id < now() - interval '30 minutes';
SELECT shows('file_fdw: the wrong kind is rejected', is_refused('SELECT FROM wrongly_filed'));
RESET ROLE;

\getenv password PGPASSWORD
\set self 'host=' :HOST ' port=' :PORT ' dbname=' :DBNAME ' user=' :USER ' password=' :password
SELECT dblink_connect('self', :'self') \g /dev/null
SELECT shows('dblink: ids of a column definition list',
             count(*) = (SELECT count(*) FROM orders) AND bool_and(gid_kind(id) = 'o' AND pg_typeof(id) = 'gid'::regtype))
FROM dblink('self', 'SELECT id FROM orders') AS t(id gid(o));
-- dblink reads text by the declared type, so this list is checked.
SELECT shows('dblink: the wrong kind is rejected',
             is_refused($$SELECT FROM dblink('self', 'SELECT id FROM customers') AS t(id gid(o))$$));

SET ROLE extensions_clerk;
SELECT shows('hstore: a row with ids, there and back',
             bool_and(populate_record(NULL::orders, hstore(orders)) = orders
                      AND hstore(orders) -> 'id' = id::text))
FROM orders;
SELECT shows('hstore: the wrong kind is rejected',
             is_refused($$SELECT populate_record(NULL::orders, hstore(customers)) FROM customers$$));

SELECT shows('crosstab: an id is the name of a row', count(*) = 10 AND bool_and(one = 1 AND two = 1))
FROM crosstab($$SELECT customer, item, count(*)::int FROM orders
                WHERE item IN ('item 101', 'item 102') GROUP BY 1, 2 ORDER BY 1, 2$$)
     AS t(customer gid(c), one int, two int)
     JOIN customers ON customers.id = customer;
SELECT shows('crosstab: the wrong kind is rejected',
             is_refused($$SELECT FROM crosstab('SELECT customer, item, 1 FROM orders ORDER BY 1, 2')
                          AS t(customer gid(o), one int)$$));
