-- Gives up the way back of orders; their old keys stay, to be looked up.

\set ON_ERROR_STOP on
SET lock_timeout = '2s';
DROP FUNCTION lines_old_order_id CASCADE;
ALTER TABLE lines DROP old_order_id;
ALTER TABLE orders ALTER old_id DROP NOT NULL, ALTER old_id DROP DEFAULT;
