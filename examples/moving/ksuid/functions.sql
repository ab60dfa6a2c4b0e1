-- The id of a row with a KSUID.

CREATE FUNCTION gid_of_ksuid(kind text, key text) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    two_64 constant numeric := 18446744073709551616;
    number numeric := 0;
    digit  text;
    head   numeric;
BEGIN
    FOREACH digit IN ARRAY string_to_array(key, NULL) LOOP
        number := number * 62 - 1
            + strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', digit);
    END LOOP;
    IF key !~ '^[0-9A-Za-z]{27}$' OR number >= two_64 * two_64 * 4294967296 THEN
        RAISE invalid_text_representation USING MESSAGE = format('"%s" is no KSUID', key);
    END IF;
    head := div(number, two_64) % two_64;
    RETURN gid_make(kind, to_timestamp((div(number, two_64 * two_64) + 1400000000)::bigint),
                    CASE WHEN head >= two_64 / 2 THEN head - two_64 ELSE head END::bigint);
END $$;
