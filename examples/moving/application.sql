-- Finds an order by what a URL has: an id of before the move, or of after it.

CREATE FUNCTION order_of(key text) RETURNS gid LANGUAGE sql STABLE
RETURN CASE length(key) WHEN 36 THEN (SELECT id FROM orders WHERE old_id = key::uuid) ELSE key::gid END;

SELECT name FROM orders WHERE id = order_of((SELECT old_id::text FROM orders LIMIT 1));
