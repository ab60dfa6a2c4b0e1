-- On each node.
INSERT INTO orders (customer, item)
SELECT id, 'minted' FROM (SELECT id FROM customers ORDER BY id LIMIT 100) one_place;
-- And of the last days, so that ranges of time are of all lengths.
INSERT INTO orders (id, customer, item)
SELECT gid_random('o', now() - n * interval '1 hour'), id, 'earlier'
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM customers ORDER BY id LIMIT 100) one_place;
