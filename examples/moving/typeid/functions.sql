-- The UUIDv7 in a TypeID.

CREATE FUNCTION uuid_of_typeid(prefix text, key text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bits varbit := from_base32(right(key, 26), '0123456789abcdefghjkmnpqrstvwxyz');
BEGIN
    IF key <> prefix || '_' || right(key, 26) OR length(bits) <> 130 OR substring(bits FROM 1 FOR 2) <> B'00' THEN
        RAISE invalid_text_representation USING MESSAGE = format('"%s" is no TypeID of "%s"', key, prefix);
    END IF;
    RETURN lpad(to_hex(substring(bits FROM 3 FOR 64)::bigint), 16, '0')
        || lpad(to_hex(substring(bits FROM 67)::bigint), 16, '0');
END $$;
