SET ROLE extensions_clerk;
INSERT INTO orders (customer, item) SELECT id, 'written' FROM customers;
UPDATE orders SET item = item || ', written' WHERE id >= now() - interval '30 minutes' AND item <> 'written';
UPDATE orders SET id = gid_new('o'), item = 'written' WHERE item = 'item 40';
DELETE FROM orders WHERE item = 'item 1000';
INSERT INTO written SELECT orders::text FROM orders;
