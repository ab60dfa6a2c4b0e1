-- What the recipes share: whole milliseconds as times, digits of base 32 as
-- bits, each with its way back, and a backfill in batches.

\set ON_ERROR_STOP on
CREATE EXTENSION gid;

CREATE FUNCTION time_of_ms(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (timestamp 'epoch' + ms / 1000 * interval '1 s' + ms % 1000 * interval '1 ms') AT TIME ZONE 'UTC';

CREATE FUNCTION ms_of_time(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN floor(extract(epoch FROM at AT TIME ZONE 'UTC') * 1000)::bigint;

CREATE FUNCTION from_base32(digits text, alphabet text) RETURNS varbit
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    bits  varbit := '';
    digit text;
BEGIN
    FOREACH digit IN ARRAY string_to_array(digits, NULL) LOOP
        IF strpos(alphabet, digit) = 0 THEN
            RAISE invalid_text_representation USING MESSAGE = format('"%s" has "%s", which is no digit', digits, digit);
        END IF;
        bits := bits || (strpos(alphabet, digit) - 1)::bit(5);
    END LOOP;
    RETURN bits;
END $$;

CREATE FUNCTION to_base32(bits varbit, alphabet text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    digits text := '';
BEGIN
    FOR place IN 1 .. length(bits) BY 5 LOOP
        digits := digits || substr(alphabet, 1 + substring(bits FROM place FOR 5)::int, 1);
    END LOOP;
    RETURN digits;
END $$;

CREATE PROCEDURE backfill(tab regclass, old name, new name, pages int DEFAULT 50) LANGUAGE plpgsql AS $$
DECLARE
    missing bigint;
BEGIN
    FOR page IN 0 .. pg_relation_size(tab) / current_setting('block_size')::int BY pages LOOP
        EXECUTE format('UPDATE %1$s SET %3$I = NULL WHERE ctid = ANY (ARRAY(
                            SELECT ctid FROM %1$s
                            WHERE ctid >= %4$L AND ctid < %5$L AND %2$I IS NOT NULL AND %3$I IS NULL
                            FOR NO KEY UPDATE SKIP LOCKED))',
                       tab, old, new, format('(%s,0)', page), format('(%s,0)', page + pages));
        COMMIT;
    END LOOP;
    EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NOT NULL AND %I IS NULL', tab, old, new) INTO missing;
    RAISE NOTICE '%: % rows left', tab, missing;
END $$;
