-- After the way back: as it was at first.
\set ON_ERROR_STOP on
SELECT checks.shows('customers are back, with the same bytes in the same order', count(*) = 100)
FROM checks.customers b JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM customers) a
ON (a.id::uuid, a.name, a.place) = (b.id, b.name, b.place);
SELECT checks.shows('orders are back, with the same bytes in the same order', count(*) = 10000)
FROM checks.orders b JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM orders) a
ON (a.id::uuid, a.customer_id::uuid, a.item, a.place) = (b.id, b.customer_id, b.item, b.place);
SELECT checks.shows('another kind is rejected', checks.state_of($$INSERT INTO customers (id, name) VALUES (gid.gid_new('o'), 'wrong')$$) = '23514');
SELECT checks.shows('the extension is removed', count(*) = 0) FROM pg_extension WHERE extname = 'gid';
