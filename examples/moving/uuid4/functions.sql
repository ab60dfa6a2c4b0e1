-- The id of a row with a key of uuid, version 4, and a time.

CREATE FUNCTION gid_of_uuid4(kind text, created_at timestamptz, key uuid) RETURNS gid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN gid_make(kind, created_at, extract(microseconds FROM created_at AT TIME ZONE 'UTC')::bigint % 1000 << 54
                | ('x' || overlay(replace(key::text, '-', '') PLACING '' FROM 13 FOR 1))::bit(54)::bigint);
