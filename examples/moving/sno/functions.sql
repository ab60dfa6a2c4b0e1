-- The id of a row with a sno, and the sno back.

CREATE FUNCTION gid_of_sno(kind text, key text) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bits varbit := from_base32(key, '23456789abcdefghijklmnopqrstuvwx');
BEGIN
    IF length(key) <> 16 THEN
        RAISE invalid_text_representation USING MESSAGE = format('"%s" is no sno', key);
    END IF;
    RETURN gid_make(kind, time_of_ms(1262304000000 + 4 * substring(bits FROM 1 FOR 39)::bigint),
                    substring(bits FROM 40)::bigint);
END $$;

CREATE FUNCTION sno_of(id gid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN gid_payload(id) >> 41 = 0 AND ms_of_time(id::timestamptz) % 4 = 0
                 AND (ms_of_time(id::timestamptz) - 1262304000000) / 4 BETWEEN 0 AND (1::bigint << 39) - 1
            THEN to_base32(((ms_of_time(id::timestamptz) - 1262304000000) / 4)::bit(39) || gid_payload(id)::bit(41),
                           '23456789abcdefghijklmnopqrstuvwx') END;
