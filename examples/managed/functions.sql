-- The functions, where there is no extension.  moved.sql compares them with the extension.
SELECT checks.shows('there is no extension in C', count(*) = 0) FROM pg_extension WHERE extname <> 'plpgsql';
SELECT checks.shows('every role can call the functions', count(*) = 19 AND bool_and(proacl IS NULL)
	AND (SELECT bool_or(grantee = 0) FROM pg_namespace, aclexplode(nspacl) WHERE nspname = 'gid'))
FROM pg_proc WHERE pronamespace = 'gid'::regnamespace;
SELECT checks.shows('invalid text has no kind, time or text', count(*) = 2 AND bool_and(
	num_nonnulls(gid.gid_kind(id), gid.gid_timestamp(id), gid.gid_text(id), gid.gid_compact(id)) = 0))
FROM unnest('{00000000-0000-0000-0000-000000000000, 7fffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) AS id;
SELECT checks.shows('kinds that are none are rejected', count(*) = 12 AND bool_and(
	checks.state_of(format('SELECT gid.gid_random(%L)', kind)) = '22023'))
FROM unnest(ARRAY['', 'oo', '1', '127', '255', '256', '0128', '1e2', ' o', 'é', 'segments', '-12']) AS kind;
SELECT checks.shows('times that no id has are rejected', count(*) = 4 AND bool_and(
	checks.state_of(format('SELECT gid.gid_random(%L, %L)', 'o', at)) = '22008'))
FROM unnest(ARRAY['1969-12-31 23:59:59.999999+00', '10889-08-02 05:31:50.656+00', 'infinity', '-infinity']) AS at;

-- Minting: the layout, all kinds, and 54 bits that are random.
SELECT checks.shows('all kinds, and 255 in byte 7', count(*) = 127 AND bool_and(
	get_byte(uuid_send(id), 0) = prefix AND get_byte(uuid_send(id), 7) = 255))
FROM generate_series(128, 254) prefix, LATERAL (SELECT gid.gid_random(prefix::text) AS id) AS ids;
SELECT checks.shows('names fold to lower case', gid.gid_kind(gid.gid_random('Segment')) = 'segment' AND gid.gid_kind(gid.gid_random('O')) = 'o');
SELECT checks.shows('the time of a new id is the present', gid.gid_timestamp(id) BETWEEN date_trunc('milliseconds', now()) AND clock_timestamp())
FROM gid.gid_random('o') AS id;
WITH minted AS MATERIALIZED (
	SELECT ('x' || right(encode(uuid_send(gid.gid_random('o', '2026-01-01')), 'hex'), 16))::bit(64) AS payload
	FROM generate_series(1, 20000)
)
SELECT checks.shows('54 bits are random', count(*) = 54 AND min(ones) > 9500 AND max(ones) < 10500)
FROM (SELECT sum(get_bit(payload, bit)) AS ones FROM minted, generate_series(10, 63) bit GROUP BY bit) AS bits;
SELECT checks.shows('no two are alike', count(DISTINCT gid.gid_random('o', '2026-01-01')) = 20000) FROM generate_series(1, 20000);

-- The horizon, for one session.  torture.pl has several.
BEGIN;
SELECT gid.gid_new('e') AS first \gset
SELECT gid.gid_new('e') AS last FROM generate_series(1, 10000) OFFSET 9999 \gset
CALL gid.gid_settled('e', NULL) \gset
SELECT checks.shows('a transaction has one claim, at its first id', (SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory') AND bool_and(pid = pg_backend_pid() AND prepared_name IS NULL
	AND since BETWEEN now() AND gid.gid_timestamp(:'first') + interval '1 ms') AND :'horizon' <= :'first'::uuid AND :'first' < :'last'::uuid)
FROM gid.gid_unsettled();
COMMIT;
CALL gid.gid_settled('e', NULL) \gset
SELECT checks.shows('it ends with the transaction', :'horizon' > :'last'::uuid AND gid.gid_kind(:'horizon') = 'e'
	AND right(:'horizon', 12) = repeat('0', 12) AND (SELECT count(*) = 0 FROM gid.gid_unsettled()));
SELECT pg_advisory_lock(gid.lock_of(0)), pg_advisory_lock(gid.lock_of(1)) \g /dev/null
CALL gid.gid_settled('e', NULL) \gset
SELECT checks.shows('a session that blocks all polls is shown, and does not limit the horizon', count(*) = 1 AND bool_and(pid = pg_backend_pid() AND since IS NULL)
	AND :'horizon' > :'last'::uuid) FROM gid.gid_unsettled();
SELECT pg_advisory_unlock_all() \g /dev/null
BEGIN;
SAVEPOINT a;
SELECT gid.gid_new('e') AS id \gset
ROLLBACK TO a;
SELECT count(*) AS after_rollback FROM gid.gid_unsettled() \gset
SELECT gid.gid_new('e') AS id \gset
CALL gid.gid_settled('e', NULL) \gset
SELECT checks.shows('a claim ends with its savepoint, and the next id has one', :after_rollback = 0 AND :'horizon' <= :'id'::uuid);
ROLLBACK;
-- Whatever an earlier client of a pooler has set, the id is of the present, its claim is not above it, and the claim does
-- not delay the horizon.
SELECT checks.shows(format('the setting is %s', setting), state = 'P0001') FROM unnest('{x, 1x, -1, 0, 1, 1790000000000000, 9000000000000000, 9223372036854775807, 99999999999999999999}'::text[]) AS setting,
LATERAL checks.state_of(format($do$DO $$ DECLARE id uuid; BEGIN
	PERFORM set_config('settled.claim', '%s', true);
	id := gid.gid_new('e');
	ASSERT (SELECT date_trunc('milliseconds', min(since)) <= gid.gid_timestamp(id) FROM gid.gid_unsettled());
	ASSERT (SELECT min(since) >= now() FROM gid.gid_unsettled());
	ASSERT gid.gid_timestamp(id) BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp();
	RAISE EXCEPTION 'roll back';
END $$$do$, setting)) AS state;

CREATE FUNCTION checks.settled() RETURNS uuid LANGUAGE plpgsql STABLE AS $$DECLARE horizon uuid; BEGIN CALL gid.gid_settled('e', horizon); RETURN horizon; END $$;
SELECT checks.shows('misuse is an error', ARRAY(SELECT checks.state_of(statement) FROM unnest(ARRAY[
	$$SELECT gid.gid_settled('e')$$, 'SELECT checks.settled()', $$CALL gid.gid_settled('ee', NULL)$$, $$SELECT gid.gid_new('ee')$$]) AS statement)
	= '{42809, 0A000, 22023, 22023}');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT checks.shows('so is REPEATABLE READ', checks.state_of($$CALL gid.gid_settled('e', NULL)$$) = '25000');
ROLLBACK;
BEGIN READ ONLY;
SELECT checks.shows('so is READ ONLY, and an error leaves no lock', checks.state_of($$CALL gid.gid_settled('e', NULL)$$) = '25006'
	AND (SELECT count(*) = 0 FROM pg_locks WHERE locktype = 'advisory'));
ROLLBACK;

-- Reasons why polling misses rows, and what fixes them.  sql/uncovered.sql has all, for the extension.
CREATE TABLE checks.parts (id uuid DEFAULT gid.gid_random('e')) PARTITION BY RANGE (id);
CREATE TABLE checks.part PARTITION OF checks.parts FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE VIEW checks.seen AS SELECT id FROM checks.part;
SELECT checks.shows('a table, and what is above and below it', count(*) = 4 AND bool_and(reason = 'the default is gid.gid_random(''e''::text)')
	AND bool_and(fix = format('ALTER TABLE %s ALTER id SET DEFAULT gid.gid_new(''e'')', object)))
FROM unnest('{checks.parts, checks.part}'::regclass[]) AS asked, gid.gid_uncovered('229', asked);
SELECT fix FROM gid.gid_uncovered('e', 'checks.part') LIMIT 1 \gset
:fix;
SELECT checks.shows('its statement fixes it', count(*) = 0) FROM gid.gid_uncovered('e', 'checks.part');
CREATE DOMAIN checks.minted AS uuid DEFAULT gid.gid_new('O');
CREATE TABLE checks.kinds (o uuid DEFAULT gid.gid_new('o'), number uuid DEFAULT gid.gid_new('239'), minted checks.minted, none uuid DEFAULT gid.gid_new('oo'));
SELECT checks.shows('the default has the kind', count(*) = 0)
FROM unnest('{o,number,minted}'::name[]) AS id, unnest('{o,O,239}'::text[]) AS kind, gid.gid_uncovered(kind, 'checks.kinds', id);
SELECT checks.shows('the default has another kind', count(*) = 4 AND bool_and(fix IS NULL AND reason LIKE 'the default is gid.gid_new(%), of another kind'))
FROM unnest('{o,number,minted,none}'::name[]) AS id, gid.gid_uncovered('e', 'checks.kinds', id);
SELECT checks.shows('the kind is NULL', array_agg(reason || coalesce(fix, '')) = '{the kind is NULL}') FROM gid.gid_uncovered(NULL, 'checks.kinds', 'o');
SELECT checks.shows('no such kind', checks.state_of($$SELECT gid.gid_uncovered('ee', 'checks.kinds', 'o')$$) = '22023');
SELECT checks.shows('a view is not a table', count(*) = 1 AND bool_and(reason LIKE 'not a table%')) FROM gid.gid_uncovered('e', 'checks.seen');
SELECT checks.shows('no such column', checks.state_of($$SELECT gid.gid_uncovered('e', 'checks.parts', 'n')$$) = '42703');
DROP TABLE checks.parts, checks.kinds CASCADE;
DROP DOMAIN checks.minted;
