-- The id of a row with a Snowflake, and the Snowflake back.

CREATE FUNCTION gid_of_snowflake(kind text, key bigint, epoch bigint, bits int DEFAULT 22) RETURNS gid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN gid_make(kind, time_of_ms((key >> bits) + epoch), key & (1::bigint << bits) - 1);

CREATE FUNCTION snowflake_of(id gid, epoch bigint, bits int DEFAULT 22) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN gid_payload(id) >> bits = 0
            THEN ms_of_time(id::timestamptz) - epoch << bits | gid_payload(id) END;
