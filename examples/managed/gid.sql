-- Ids of gid in columns of type uuid, for servers on which no extension in C
-- can be installed: the same 16 bytes, in the same order.
--
-- Every role can call the functions.  Bodies in PL/pgSQL have a search_path of
-- their own.  Bodies in SQL are parsed by CREATE FUNCTION, so the caller's
-- search_path changes nothing in them.  The search_path of this file has no
-- schema in which other roles could have created operators.

SET search_path = pg_catalog, pg_temp;
CREATE SCHEMA gid;
GRANT USAGE ON SCHEMA gid TO PUBLIC;

CREATE FUNCTION gid.prefix_of(kind text) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    name   text := lower(kind COLLATE "C");
    prefix int  := CASE WHEN name = 'volume'      THEN 128
                        WHEN name = 'log'         THEN 160
                        WHEN name = 'segment'     THEN 192
                        WHEN name ~ '^[a-z]$'     THEN 128 + ascii(name)
                        WHEN name ~ '^[0-9]{3}$'  THEN name::int END;
BEGIN
    IF prefix BETWEEN 128 AND 254 THEN
        RETURN prefix;
    END IF;
    RAISE invalid_parameter_value USING MESSAGE = format('unrecognized gid kind: "%s"', kind);
END $$;

-- Minting: prefix, milliseconds, 255, microseconds within the millisecond,
-- 54 random bits.  Of a random uuid all bits are random in the last 6 bytes,
-- and the last 6 bits in byte 8.

CREATE FUNCTION gid.gid_random(kind text, at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    prefix text := to_hex(gid.prefix_of(kind));
    random uuid := gen_random_uuid();
    micros bigint;
BEGIN
    IF at NOT BETWEEN '1970-01-01 00:00:00+00' AND '10889-08-02 05:31:50.655999+00' THEN
        RAISE datetime_field_overflow USING MESSAGE = format('timestamp out of range for a gid: "%s"', at);
    END IF;
    micros := extract(epoch FROM at) * 1000000;
    RETURN prefix || lpad(to_hex(micros / 1000), 12, '0') || 'ff'
        || lpad(to_hex((micros % 1000 << 6) | (get_byte(uuid_send(random), 8) & 63)), 4, '0') || right(random::text, 12);
END $$;

-- What an id says: its kind and its creation time in whole milliseconds.  A
-- uuid below 0x80... is not an id, and says nothing.

CREATE FUNCTION gid.gid_kind(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT CASE WHEN prefix = 128 THEN 'volume'
                    WHEN prefix = 160 THEN 'log'
                    WHEN prefix = 192 THEN 'segment'
                    WHEN prefix BETWEEN 225 AND 250 THEN chr(prefix - 128)
                    WHEN prefix > 127 THEN prefix::text END
        FROM get_byte(uuid_send(id), 0) AS prefix);

CREATE FUNCTION gid.gid_timestamp(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT (timestamp 'epoch' + ms / 1000 * interval '1 s' + ms % 1000 * interval '1 ms') AT TIME ZONE 'UTC'
        FROM CAST(('x' || substr(encode(uuid_send(id), 'hex'), 3, 12))::bit(48) AS bigint) AS ms
        WHERE get_byte(uuid_send(id), 0) > 127);

-- Bounds for searches by time: the smallest id of a kind that was made at or
-- after a time, and the smallest after it.  Past the last millisecond that is
-- the first id above the kind.

CREATE FUNCTION gid.gid_lower_bound(kind text, at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (to_hex((gid.prefix_of(kind)::bigint << 48)
               + least(greatest(ceil(extract(epoch FROM at) * 1000), 0), 281474976710656)::bigint)
        || repeat('0', 18))::uuid;

CREATE FUNCTION gid.gid_upper_bound(kind text, at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (to_hex((gid.prefix_of(kind)::bigint << 48)
               + least(greatest(floor(extract(epoch FROM at) * 1000) + 1, 0), 281474976710656)::bigint)
        || repeat('0', 18))::uuid;

-- Text: 10 digits of base 58 for bytes 0 to 6, and 13 for bytes 7 to 15; or 22
-- for all of them.

CREATE FUNCTION gid.to_base58(number numeric, length int) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    digits text := '';
BEGIN
    FOR i IN 1 .. length LOOP
        digits := substr('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 1 + (number % 58)::int, 1)
            || digits;
        number := div(number, 58);
    END LOOP;
    RETURN digits;
END $$;

CREATE FUNCTION gid.from_base58(digits text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    number numeric := 0;
    digit  text;
BEGIN
    FOREACH digit IN ARRAY string_to_array(digits, NULL) LOOP
        number := number * 58 - 1 + strpos('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', digit);
    END LOOP;
    RETURN number;
END $$;

CREATE FUNCTION gid.numbers_of(id uuid, OUT head numeric, OUT tail numeric)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT (('x' || left(hex, 14))::bit(56)::bigint::numeric,
                ('x' || substr(hex, 15, 10))::bit(40)::bigint * 4294967296::numeric + ('x' || right(hex, 8))::bit(32)::bigint)
        FROM encode(uuid_send(id), 'hex') AS hex WHERE hex >= '8' COLLATE "C");

CREATE FUNCTION gid.gid_text(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT gid.to_base58(head, 10) || '-' || gid.to_base58(tail, 13) FROM gid.numbers_of(id));

CREATE FUNCTION gid.gid_compact(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT gid.to_base58(head * 4722366482869645213696 + tail, 22) FROM gid.numbers_of(id));

CREATE FUNCTION gid.gid_parse(id text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    two_72 constant numeric := 4722366482869645213696;
    head numeric;
    tail numeric;
BEGIN
    IF id COLLATE "C" ~ '^[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}$' THEN
        head := gid.from_base58(left(id, 10));
        tail := gid.from_base58(right(id, 13));
    ELSIF id COLLATE "C" ~ '^[1-9A-HJ-NP-Za-km-z]{22}$' THEN
        tail := gid.from_base58(id);
        head := div(tail, two_72);
        tail := tail % two_72;
    END IF;
    IF head BETWEEN x'80000000000000'::bigint AND x'ffffffffffffff'::bigint AND tail < two_72 THEN
        RETURN to_hex(head::bigint) || lpad(to_hex(div(tail, 4294967296)::bigint), 10, '0')
            || lpad(to_hex((tail % 4294967296)::bigint), 8, '0');
    END IF;
    RAISE invalid_text_representation USING MESSAGE = format('invalid input syntax for a gid: "%s"', id);
END $$;

RESET search_path;
