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

CREATE FUNCTION gid.micros_of(at timestamptz) RETURNS bigint LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (extract(epoch FROM at) * 1000000)::bigint;

CREATE FUNCTION gid.from_micros(kind text, micros bigint, random uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (to_hex(gid.prefix_of(kind)) || lpad(to_hex(micros / 1000), 12, '0') || 'ff'
        || lpad(to_hex((micros % 1000 << 6) | (get_byte(uuid_send(random), 8) & 63)), 4, '0')
        || right(random::text, 12))::uuid;

CREATE FUNCTION gid.gid_random(kind text, at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    random uuid := gen_random_uuid();
BEGIN
    IF at NOT BETWEEN '1970-01-01 00:00:00+00' AND '10889-08-02 05:31:50.655999+00' THEN
        RAISE datetime_field_overflow USING MESSAGE = format('timestamp out of range for a gid: "%s"', at);
    END IF;
    RETURN gid.from_micros(kind, gid.micros_of(at), random);
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

-- Polling: a transaction that mints with gid_new() has a claim, a shared
-- advisory lock whose key contains an instant up to the ids of the transaction.
-- PostgreSQL releases it after the rows are visible, or are rolled back.  The
-- floor is the minimum for the ids of new claims.  It never decreases.

CREATE UNLOGGED SEQUENCE gid.floor;
GRANT SELECT ON SEQUENCE gid.floor TO PUBLIC;

CREATE FUNCTION gid.lock_of(instant bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (25::bigint << 58) | instant;

-- The floor is read after the claim is taken.  A session, or an earlier client of
-- a pooler, can set the setting to anything.  What is not a number, or is before
-- this transaction, is ignored.  The lock is taken each time; the same lock again
-- needs no memory.  If a session has an exclusive lock on the key, a lower claim
-- is also correct.

CREATE FUNCTION gid.gid_new(kind text) RETURNS uuid LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    random  uuid   := gen_random_uuid();
    claim   bigint := substring(current_setting('settled.claim', true) FROM '^[0-9]{1,17}$');
    held    bool   := claim >= gid.micros_of(now()) AND pg_try_advisory_xact_lock_shared(gid.lock_of(claim));
    instant bigint;
BEGIN
    LOOP
        SELECT greatest(gid.micros_of(clock_timestamp()), last_value) INTO instant FROM gid.floor;
        EXIT WHEN held AND claim <= instant;
        claim := instant;
        WHILE NOT pg_try_advisory_xact_lock_shared(gid.lock_of(claim)) LOOP
            claim := claim - 1;
        END LOOP;
        PERFORM set_config('settled.claim', claim::text, true);
        held := true;
    END LOOP;
    RETURN gid.from_micros(kind, instant, random);
END $$;

-- A poll has an exclusive lock with the instant 0 for a moment.  If another session
-- has a lock on this key, all polls wait.  It does not limit the horizon.

CREATE FUNCTION gid.gid_unsettled(OUT pid int, OUT since timestamptz, OUT prepared_name text) RETURNS SETOF record
LANGUAGE sql STABLE BEGIN ATOMIC
    SELECT l.pid,
           timestamptz 'epoch' + nullif((classid::bigint << 32 | objid::bigint) & (1::bigint << 58) - 1, 0) * interval '1 us',
           CASE WHEN l.pid IS NULL THEN (
               SELECT p.gid FROM pg_locks AS x JOIN pg_prepared_xacts AS p ON p.transaction = x.transactionid
               WHERE x.virtualtransaction = l.virtualtransaction) END
    FROM pg_locks AS l
    WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid::bigint >> 26 = 25
      AND (mode = 'ShareLock' OR (classid::bigint << 32 | objid::bigint) = gid.lock_of(0))
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
END;

-- Why a program that polls this table can miss rows: gid_uncovered() of the
-- extension, whose comments say more.  A uuid column does not declare its kind, so
-- the caller does.  If a default mints another kind, either can be wrong, and no
-- statement fixes it.

CREATE FUNCTION gid.gid_uncovered(kind text, relation regclass, id name DEFAULT 'id',
                                  OUT object regclass, OUT reason text, OUT fix text) RETURNS SETOF record
LANGUAGE sql STABLE ROWS 1
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
SET jit = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
BEGIN ATOMIC
    WITH RECURSIVE below AS (
        SELECT relation::oid AS oid
        UNION
        SELECT inhrelid FROM below JOIN pg_inherits ON inhparent = oid
    ),
    tables AS (
        SELECT oid, (oid <> relation)::int AS level FROM below
        UNION ALL
        SELECT above, 1 - n FROM pg_partition_ancestors(relation) WITH ORDINALITY AS a (above, n) WHERE n > 1
    )
    SELECT tables.oid, reason, fix
    FROM tables
         LEFT JOIN pg_class ON pg_class.oid = tables.oid
         LEFT JOIN pg_attribute ON attrelid = tables.oid AND attname = id
         LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         LEFT JOIN pg_type ON pg_type.oid = atttypid
         CROSS JOIN LATERAL (
             SELECT relkind IN ('r', 'p', 'f') AS is_table,
                    CASE WHEN attgenerated = '' THEN pg_get_expr(coalesce(adbin, typdefaultbin), 0) END AS expression,
                    gid.prefix_of(kind) AS prefix
         ) AS e
         CROSS JOIN LATERAL (
             SELECT lower(substring(expression FROM '^gid\.gid_new\(''([^'']*)''::text\)$') COLLATE "C") AS minted,
                    gid.gid_kind(gid.gid_lower_bound(kind, '-infinity')) AS name
         ) AS k
         CROSS JOIN LATERAL (
             SELECT 'there is no such table' AS reason, NULL AS fix
             WHERE has_column_privilege(relation, id::text, 'SELECT') IS NULL
             UNION ALL
             SELECT 'not a table: poll the tables that it reads', NULL
             WHERE NOT is_table
             UNION ALL
             SELECT 'a foreign table: rows can be inserted on the other server', NULL
             WHERE relkind = 'f'
             UNION ALL
             SELECT format('the subscription %I inserts rows of another server', subname), NULL
             FROM pg_subscription_rel JOIN pg_subscription ON pg_subscription.oid = srsubid
             WHERE srrelid = tables.oid
             UNION ALL
             SELECT 'the kind is NULL', NULL
             WHERE is_table AND level = 0 AND kind IS NULL
             UNION ALL
             SELECT CASE WHEN attgenerated <> '' THEN 'the column is generated'
                         WHEN minted IS NOT NULL THEN format('the default is %s, of another kind', expression)
                         ELSE coalesce('the default is ' || expression, 'the column has no default') END,
                    CASE WHEN attgenerated = '' AND minted IS NULL
                         THEN format('ALTER TABLE %s ALTER %I SET DEFAULT gid.gid_new(%L)', tables.oid::regclass, id, name) END
             WHERE is_table AND kind IS NOT NULL AND (minted IN (name, prefix::text)) IS NOT TRUE
               AND (expression IS NOT NULL OR level <= 0)
         ) AS r
    ORDER BY level, tables.oid;
END;

-- The claims are read after the floor is raised, and rows in a later statement,
-- whose snapshot is newer.  So this is a procedure.  One session at a time
-- raises the floor.  The error is caught: this ends the lock, and not setval().

CREATE PROCEDURE gid.gid_settled(kind text, OUT horizon uuid) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    instant bigint;
BEGIN
    IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
        RAISE invalid_transaction_state USING MESSAGE = 'gid.gid_settled requires the isolation level READ COMMITTED';
    END IF;
    BEGIN
        PERFORM pg_advisory_xact_lock(gid.lock_of(0));
        SELECT setval('gid.floor', greatest(gid.micros_of(clock_timestamp()), last_value + 1))
        INTO instant FROM gid.floor;
        RAISE EXCEPTION 'the floor is raised';
    EXCEPTION WHEN raise_exception THEN
        SELECT gid.from_micros(kind, least(instant, min(gid.micros_of(since))), '00000000-0000-0000-0000-000000000000')
        INTO horizon FROM gid.gid_unsettled();
    END;
END $$;

RESET search_path;
