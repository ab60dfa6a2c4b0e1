-- Gives up the way back.

DROP DOMAIN order_id, customer_id;
DROP SCHEMA gid CASCADE;
