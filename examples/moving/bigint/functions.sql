-- The id of a row with a number and a time, and the number back.

CREATE FUNCTION gid_of_number(kind text, created_at timestamptz, number bigint) RETURNS gid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF number NOT BETWEEN 0 AND (1::bigint << 54) - 1 THEN
        RAISE numeric_value_out_of_range USING MESSAGE = format('%s is no number of 54 bits', number);
    END IF;
    RETURN gid_make(kind, created_at,
                    extract(microseconds FROM created_at AT TIME ZONE 'UTC')::bigint % 1000 << 54 | number);
END $$;

CREATE FUNCTION number_of(id gid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN gid_payload(id) & (1::bigint << 54) - 1;
