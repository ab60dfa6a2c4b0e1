-- The id of a row with a key of ULID.

CREATE FUNCTION gid_of_ulid(kind text, ulid text) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bits varbit := from_base32(upper(ulid), '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
BEGIN
    IF length(ulid) <> 26 OR substring(bits FROM 1 FOR 2) <> B'00' THEN
        RAISE invalid_text_representation USING MESSAGE = format('"%s" is no ULID', ulid);
    END IF;
    RETURN gid_make(kind, time_of_ms(substring(bits FROM 3 FOR 48)::bigint),
                    substring(bits FROM 51 FOR 24)::bigint << 30 | substring(bits FROM 101)::bigint);
END $$;
