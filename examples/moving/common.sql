-- What the four recipes share: an id put together from its parts, and a
-- backfill in batches.

CREATE EXTENSION gid;

CREATE FUNCTION gid_at(kind text, micros bigint, low bigint) RETURNS gid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    prefix bytea := substr(gid_lower_bound(kind, '-infinity')::bytea, 1, 1);
BEGIN
    IF micros NOT BETWEEN 0 AND (1000::bigint << 48) - 1 OR low NOT BETWEEN 0 AND (1::bigint << 54) - 1 THEN
        RAISE numeric_value_out_of_range USING MESSAGE = format('no gid has the parts %s and %s', micros, low);
    END IF;
    RETURN (prefix || substr(int8send(micros / 1000), 3) || prefix || int8send(micros % 1000 << 54 | low))::gid;
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
