-- The database that is asked.  It mints the ids, and has no orders itself.
CREATE EXTENSION gid;
CREATE EXTENSION plproxy;
CREATE DOMAIN order_id AS gid(o);

\set part0 'host=' :host ' port=' :port ' dbname=' :DBNAME '_0'
\set part1 'host=' :host ' port=' :port ' dbname=' :DBNAME '_1'
CREATE SERVER shop FOREIGN DATA WRAPPER plproxy OPTIONS (p0 :'part0', p1 :'part1');
GRANT USAGE ON FOREIGN SERVER shop TO plproxy_shop;
CREATE USER MAPPING FOR plproxy_shop SERVER shop OPTIONS (user 'plproxy_shop', password :'password');

-- PL/Proxy takes the last bits of the hash, as many as tell the databases apart.
CREATE FUNCTION add_order(id order_id, item text) RETURNS order_id LANGUAGE plproxy
AS $$ CLUSTER 'shop'; RUN ON gid_hash(id); $$;

CREATE FUNCTION get_order(id order_id) RETURNS text LANGUAGE plproxy
AS $$ CLUSTER 'shop'; RUN ON gid_hash(id); $$;

CREATE FUNCTION orders_between(since timestamptz, until timestamptz) RETURNS TABLE (id order_id, item text)
LANGUAGE plproxy AS $$ CLUSTER 'shop'; RUN ON ALL; $$;
