-- How the id's kind and a search by time are written, before and after the
-- move to the type.
SELECT to_regtype('gid') IS NOT NULL AS moved \gset
\if :moved
	\set kind gid_kind
	\set text ''
	\set parse ''
	\set hour_ago 'now() - interval ''1 hour'''
	\set wrong_kind 22023
\else
	\set kind gid.gid_kind
	\set text gid.gid_text
	\set parse gid.gid_parse
	\set hour_ago 'gid.gid_lower_bound(''o'', now() - interval ''1 hour'')'
	\set wrong_kind 23514
\endif
SELECT CASE WHEN :'moved' THEN 'gid' ELSE 'uuid' END AS type \gset
