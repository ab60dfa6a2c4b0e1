-- The id of a row with an ObjectId, and the ObjectId back.

CREATE FUNCTION gid_of_objectid(kind text, key text) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF key !~ '^[0-9A-Fa-f]{24}$' THEN
        RAISE invalid_text_representation USING MESSAGE = format('"%s" is no ObjectId', key);
    END IF;
    RETURN gid_make(kind, time_of_ms(('x' || left(key, 8))::bit(32)::bigint * 1000),
                    ('x' || right(key, 16))::bit(64)::bigint);
END $$;

CREATE FUNCTION objectid_of(id gid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN ms_of_time(id::timestamptz) % 1000 = 0
            THEN lpad(to_hex(ms_of_time(id::timestamptz) / 1000), 8, '0') || lpad(to_hex(gid_payload(id)), 16, '0') END;
