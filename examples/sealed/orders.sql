-- Orders that a program shows with sealed ids, and cannot see otherwise.

CREATE TABLE orders (
    id   gid(o) PRIMARY KEY DEFAULT gid_new('o'),
    item text NOT NULL
);
INSERT INTO orders (item) SELECT 'item ' || n FROM generate_series(1, 10000) n;
VACUUM ANALYZE orders;

CREATE DOMAIN sealed_order_id AS uuid;
CREATE VIEW shown_orders AS SELECT seal(id)::sealed_order_id AS id, item FROM orders;
BEGIN;
CREATE FUNCTION shown_order(sealed sealed_order_id) RETURNS SETOF shown_orders
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT seal(id)::sealed_order_id, item FROM orders WHERE id = ANY (unseal('o', sealed));
END;
REVOKE EXECUTE ON FUNCTION shown_order(sealed_order_id) FROM PUBLIC;
COMMIT;

CREATE ROLE web;
GRANT EXECUTE ON FUNCTION seal(gid), shown_order(sealed_order_id) TO web;
GRANT SELECT ON shown_orders TO web;
