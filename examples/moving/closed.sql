-- Is the way back given up, and do old keys still lead to their rows?
CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || current_setting('moving.name') || ': ' || what
$$;
SELECT set_config('moving.name', :'name', false) \g /dev/null

INSERT INTO :parent (name) VALUES ('new') RETURNING id AS new \gset
INSERT INTO :child (:ref) VALUES (:'new');
SELECT pg_temp.shows('closed, a new row has no old key', to_jsonb(p) ->> 'old_id' IS NULL
	AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = :'child'::regclass
		AND attname = 'old_' || :'ref')
	AND NOT EXISTS (SELECT FROM pg_attrdef WHERE adrelid = :'parent'::regclass
		AND pg_get_expr(adbin, adrelid) ~ 'nextval|uuid|ulid|snowflake|objectid|ksuid|typeid|sno|muid'))
FROM :parent p WHERE id = :'new';
SELECT pg_temp.shows('closed, old keys still lead to their rows', count(*) = :rows AND bool_and(:instant = made_at))
FROM parents JOIN :parent p ON :old::text = parents.old;

\set ON_ERROR_STOP off
INSERT INTO :child (:ref) VALUES (gid_new(:'kind'));
SELECT pg_temp.shows('closed, the reference refuses what is not there', :'LAST_ERROR_SQLSTATE' = '23503');
