-- One of the databases that have the orders.  It takes no order that belongs into another.
CREATE EXTENSION gid;
CREATE DOMAIN order_id AS gid(o);
CREATE TABLE orders (
    id   order_id PRIMARY KEY CHECK (gid_hash(id) & 1 = :number),
    item text NOT NULL
);

GRANT SELECT, INSERT ON orders TO plproxy_shop;

CREATE FUNCTION add_order(id order_id, item text) RETURNS order_id LANGUAGE sql
AS 'INSERT INTO orders VALUES (id, item) RETURNING id';

CREATE FUNCTION get_order(id order_id) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT item FROM orders WHERE orders.id = get_order.id);

CREATE FUNCTION orders_between(since timestamptz, until timestamptz) RETURNS TABLE (id order_id, item text)
LANGUAGE sql STABLE
AS 'SELECT id, item FROM orders WHERE id >= since AND id < until';
