-- For each format that gid-move can move: the gid of a key, and the key of a gid.
--
-- When you load this file, search_path must begin with the schema for the functions, and contain the schema of the
-- extension.  The functions then work with every search_path: SQL bodies bind names when the functions are created, and
-- PL/pgSQL bodies have a search_path of their own.  SQL bodies cast numbers, so that the types of an operator are exactly
-- those in pg_catalog: an operator of another schema would otherwise be a better match.
--
-- The SQL functions return NULL if an argument is NULL.  They are not STRICT and have no SET clause: then the planner
-- can inline them.

-- == common ==
-- What the formats share.  Milliseconds count from the Unix epoch.

-- After the year 4199 the product can be off by 0.016 ms.  date_trunc makes the result exact.
CREATE FUNCTION time_of_ms(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_trunc('milliseconds', timestamp 'epoch' + ms::float8 * interval '1 ms' + interval '0.5 ms') AT TIME ZONE 'UTC';

CREATE FUNCTION ms_of_time(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN floor(extract(epoch FROM at AT TIME ZONE 'UTC') * 1000::numeric)::bigint;

-- The microseconds within the millisecond, shifted to the first 10 bits of a payload.  They are 0 for infinity, which
-- gid_make rejects.
CREATE FUNCTION us_of_time(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(extract(microseconds FROM at AT TIME ZONE 'UTC')::bigint % 1000::bigint, 0) << 54;

-- The payload of a gid with the offset before the medallion, in hexadecimal.  Ids of one transaction differ only in the
-- offset, and gid_of_uuid7 and others read only the first bits of a key.
CREATE FUNCTION offset_first(id gid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(int8send((gid_payload(id) & x'FFC0000000000000'::bigint)
                       | ((gid_payload(id) & x'3FFFFFFF'::bigint) << 24)
                       | (gid_payload(id) >> 30 & x'FFFFFF'::bigint)), 'hex');

-- The number that the digit at a place of a key stands for, in Crockford's base 32.  The planner can inline this function
-- and the next one.
CREATE FUNCTION digit32(key text, place int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ0123456789abcdefghjkmnpqrstvwxyz', substr(key, place, 1) COLLATE "C")
        - 1 & 31)::bigint;

-- The number of the 5 digits from a place.
CREATE FUNCTION digits32(key text, place int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (digit32(key, place) << 20) | (digit32(key, place + 1) << 15) | (digit32(key, place + 2) << 10)
       | (digit32(key, place + 3) << 5) | digit32(key, place + 4);

CREATE FUNCTION to_digits(number numeric, count int, alphabet text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    base   constant int := length(alphabet);
    digits text := '';
BEGIN
    FOR place IN 1 .. count LOOP
        digits := substr(alphabet, 1 + (number % base)::int, 1) || digits;
        number := div(number, base);
    END LOOP;
    RETURN digits;
END $$;

CREATE FUNCTION raise_invalid(state text, message text, detail text) RETURNS gid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail;
END $$;

-- == uuid ==
-- Payload: 10 bits of microseconds, then the first 54 bits of the key without its version.

CREATE FUNCTION gid_of_uuid(kind text, key uuid, at timestamptz) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN gid_make(kind, at, us_of_time(at)
                | ('x' || overlay(replace(key::text, '-', '') PLACING '' FROM 13 FOR 1))::bit(54)::bigint);

-- A UUID of version 4 with the last 54 bits of the payload, the milliseconds and the microseconds.  Its gid_of_uuid at
-- the time of the id has the same time and payload.
CREATE FUNCTION uuid_of(id gid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (left(encode(int8send(gid_payload(id) << 10), 'hex'), 12)
        || '4' || substr(encode(int8send(gid_payload(id) << 10), 'hex'), 13, 3)
        || '8' || substr(encode(id::bytea, 'hex'), 3, 12)
        || right(encode(int8send(gid_payload(id) >> 54 & 1023::bigint), 'hex'), 3))::uuid;

-- == uuid7 ==
-- Payload: 10 bits of microseconds, the 12 bits after the version of the key, then the first 42 bits after its variant.
-- The 12 bits are taken as a fraction of the millisecond, and the microsecond is the one in which that fraction ends.

CREATE FUNCTION gid_of_uuid7(kind text, key uuid) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN substr(key::text, 15, 1) <> '7' OR substr(key::text, 20, 1) NOT IN ('8', '9', 'a', 'b')
            THEN raise_invalid('22023', 'invalid UUIDv7: "' || key::text || '"',
                               'In a UUIDv7, hexadecimal digit 13 is 7 and digit 17 is 8, 9, a or b.')
            ELSE gid_make(kind, time_of_ms(('x' || left(key::text, 8) || substr(key::text, 10, 4))::bit(48)::bigint),
                          ((('x' || substr(key::text, 16, 3))::bit(12)::bigint * 1000 + 999) / 4096 << 54)
                          | (('x' || substr(key::text, 16, 3))::bit(12)::bigint << 42)
                          | (('x' || substr(key::text, 20, 4) || substr(key::text, 25, 7))::bit(44)::bigint
                             & x'3FFFFFFFFFF'::bigint)) END;

-- A UUIDv7 of the same millisecond with the bits of the payload.
CREATE FUNCTION uuid7_of(id gid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (substr(encode(id::bytea, 'hex'), 3, 12) || '7' || left(offset_first(id), 3)
        || '8' || right(offset_first(id), 13) || '00')::uuid;

-- == ulid ==
-- Payload: 10 bits of 0, then the first 24 and the last 30 of the 80 random bits.

CREATE FUNCTION gid_of_ulid(kind text, key text) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length(key) <> 26 OR key COLLATE "C" !~ '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*$'
            THEN raise_invalid('22P02', 'invalid ULID: "' || key || '"',
                               'A ULID has 26 digits: 0 to 9 and A to Z without I, L, O and U. The first is 0 to 7.')
            ELSE gid_make(kind, time_of_ms((digits32(key, 1) << 25) | digits32(key, 6)),
                          (digits32(key, 11) >> 1 << 30) | (digits32(key, 21) << 5) | digit32(key, 26)) END;

CREATE FUNCTION gid_of_ulid(kind text, key uuid) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN gid_make(kind, time_of_ms(('x' || left(key::text, 8) || substr(key::text, 10, 4))::bit(48)::bigint),
                (('x' || substr(key::text, 15, 4) || substr(key::text, 20, 2))::bit(24)::bigint << 30)
                | (('x' || right(key::text, 8))::bit(32)::bigint & x'3FFFFFFF'::bigint));

-- A ULID of the same millisecond with the first half of the payload, 16 bits of 0 and the second half.
CREATE FUNCTION ulid_of(id gid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_digits(ms_of_time(gid_timestamp(id)), 10, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
       || to_digits(gid_payload(id) >> 32 << 8 & x'FFFFFFFF00'::bigint, 8, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
       || to_digits(gid_payload(id) & x'FFFFFFFF'::bigint, 8, '0123456789ABCDEFGHJKMNPQRSTVWXYZ');

CREATE FUNCTION ulid_uuid_of(id gid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(substring(id::bytea FROM 2 FOR 6) || substring(id::bytea FROM 9 FOR 4) || '\x0000'::bytea
              || substring(id::bytea FROM 13), 'hex')::uuid;

-- == number ==
-- Payload: 10 bits of microseconds, then the number.

CREATE FUNCTION gid_of_number(kind text, key bigint, at timestamptz) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN key >> 54 <> 0
            THEN raise_invalid('22003', 'number out of range for type gid: "' || key::text || '"',
                               'A gid holds numbers from 0 to 18014398509481983.')
            ELSE gid_make(kind, at, us_of_time(at) | key) END;

CREATE FUNCTION number_of(id gid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN gid_payload(id) & x'3FFFFFFFFFFFFF'::bigint;

-- == ksuid ==
-- Payload: the 8 bytes after the seconds.  The last 8 bytes are left out.

CREATE FUNCTION gid_of_ksuid(kind text, key text) RETURNS gid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    two_64   constant numeric := 18446744073709551616;
    number   numeric := 0;
    payload  numeric;
BEGIN
    IF length(key) <> 27 OR key COLLATE "C" !~ '^[0-9A-Za-z]*$' OR key COLLATE "C" > 'aWgEPTl1tmebfsQzFP4bxwgy80V' THEN
        RAISE invalid_text_representation USING MESSAGE = 'invalid KSUID: "' || key || '"',
            DETAIL = 'A KSUID has 27 digits: 0 to 9, A to Z and a to z. The largest KSUID is aWgEPTl1tmebfsQzFP4bxwgy80V.';
    END IF;
    FOR place IN 1 .. 27 LOOP
        number := number * 62 + strpos(alphabet, substr(key, place, 1) COLLATE "C") - 1;
    END LOOP;
    payload := div(number, two_64) % two_64;
    RETURN gid_make(kind, to_timestamp((div(number, two_64 * two_64) + 1400000000)::float8),
                    (payload - CASE WHEN payload < two_64 / 2 THEN 0 ELSE two_64 END)::bigint);
END $$;

-- A KSUID of the same second with the millisecond and the bits of the payload.  NULL before 2014 and after 2150: no
-- KSUID has such a time.
CREATE FUNCTION ksuid_of(id gid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (ms_of_time(gid_timestamp(id)) / 1000 - 1400000000) >> 32 = 0
            THEN to_digits((((ms_of_time(gid_timestamp(id)) / 1000 - 1400000000)::numeric * 65536::numeric
                             + (ms_of_time(gid_timestamp(id)) % 1000::bigint)::numeric) * 18446744073709551616
                            + ('x' || left(offset_first(id), 8))::bit(32)::bigint::numeric * 4294967296::numeric
                            + ('x' || right(offset_first(id), 8))::bit(32)::bigint::numeric) * 281474976710656::numeric,
                           27, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') END;

-- == typeid ==
-- The gid is that of the UUIDv7 in the TypeID.  The prefix is checked and left out.

CREATE FUNCTION gid_of_typeid(kind text, key text, prefix text) RETURNS gid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN prefix IS NULL THEN NULL
            WHEN key COLLATE "C" <> ltrim(prefix || '_', '_') || right(key, 26)
                 OR length(right(key, 26)) <> 26 OR right(key, 26) COLLATE "C" !~ '^[0-7][0-9a-hjkmnp-tv-z]*$'
            THEN raise_invalid('22P02', 'invalid TypeID: "' || key || '"',
                               'A TypeID is "' || ltrim(prefix || '_', '_') || '" and 26 digits: '
                               || '0 to 9 and a to z without i, l, o and u. The first is 0 to 7.')
            WHEN right(key, 16) COLLATE "C" !~ '^[ef]..[89abrstv]'
            THEN raise_invalid('22P02', 'invalid TypeID: "' || key || '"', 'The UUID in the TypeID is not a UUIDv7.')
            ELSE gid_make(kind, time_of_ms((digits32(right(key, 26), 1) << 25) | digits32(right(key, 26), 6)),
                          (((digits32(right(key, 26), 11) >> 9 & 4095::bigint) * 1000 + 999) / 4096 << 54)
                          | ((digits32(right(key, 26), 11) >> 9 & 4095::bigint) << 42)
                          | ((digits32(right(key, 26), 14) & x'3FFFFF'::bigint) << 20)
                          | (digits32(right(key, 26), 18) & x'FFFFF'::bigint)) END;

-- A TypeID with the UUIDv7 that uuid7_of returns.
CREATE FUNCTION typeid_of(id gid, prefix text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ltrim(prefix || '_', '_') || to_digits(ms_of_time(gid_timestamp(id)), 10, '0123456789abcdefghjkmnpqrstvwxyz')
       || to_digits(('x7' || left(offset_first(id), 3) || '8' || substr(offset_first(id), 4, 5))::bit(40)::bigint, 8,
                    '0123456789abcdefghjkmnpqrstvwxyz')
       || to_digits(('x' || right(offset_first(id), 8) || '00')::bit(40)::bigint, 8,
                    '0123456789abcdefghjkmnpqrstvwxyz');
