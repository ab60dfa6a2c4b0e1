-- The id of a row with a key of UUIDv7.

CREATE FUNCTION gid_of_uuid7(kind text, key uuid) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bits     varbit := ('x' || replace(key::text, '-', ''))::bit(128);
    fraction bigint := substring(bits FROM 53 FOR 12)::bigint;
BEGIN
    IF substring(bits FROM 49 FOR 4) <> B'0111' THEN
        RAISE invalid_parameter_value USING MESSAGE = format('%s is no UUIDv7', key);
    END IF;
    RETURN gid_make(kind, time_of_ms(substring(bits FROM 1 FOR 48)::bigint),
                    ((fraction * 1000 + 999) / 4096 << 54) | (fraction << 42) | substring(bits FROM 67 FOR 42)::bigint);
END $$;
