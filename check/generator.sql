-- generator.sql: the functions that check/generator.py calls.
--
-- Each step returns a record: the operation, the clock before and after it, the
-- transaction, the settings, the state of the generator after it, and the ids.
-- Times are microseconds.

CREATE EXTENSION gid;

-- generator.pl adds the C function.
CREATE FUNCTION gid_new_run(kind text, n int) RETURNS gid LANGUAGE c STRICT AS '$libdir/gid';

CREATE FUNCTION microseconds(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN extract(epoch FROM at) * 1000000;

CREATE FUNCTION record(op text, n bigint, before timestamptz, ids gid[], after timestamptz) RETURNS json LANGUAGE sql
RETURN (SELECT json_build_object('op', op, 'n', n, 'before', microseconds(before), 'after', microseconds(after),
		'start', microseconds(now()), 'transaction', pg_current_xact_id(), 'mode', current_setting('gid.instant_source'),
		'skew', extract(epoch FROM current_setting('gid.max_clock_skew')::interval)::float8 * 1000000,
		'setting', current_setting('gid.node')::int, 'node', coalesce(node, -1), 'medallion', coalesce(medallion, -1),
		'instant', microseconds(last_instant), 'offset', coalesce(last_offset, -1),
		'minted', minted, 'steps', clock_steps, 'overflows', overflows,
		'ids', ARRAY(SELECT id::bytea FROM unnest(ids) WITH ORDINALITY u (id, n) ORDER BY u.n))
	FROM gid_generator());

-- Returns an id to observe.  Its time is n microseconds after the origin: the
-- clock, the clock plus gid.max_clock_skew, or the instant of the generator.
-- With the shapes "byte" and "noise", the id is not a valid muid.
CREATE FUNCTION foreign_id(kind text, shape text, origin text, n bigint) RETURNS gid LANGUAGE plpgsql AS $$
DECLARE
	at timestamptz := CASE origin
		WHEN 'clock' THEN clock_timestamp()
		WHEN 'edge' THEN clock_timestamp() + current_setting('gid.max_clock_skew')::interval
		WHEN 'own' THEN coalesce((SELECT last_instant FROM gid_generator()), clock_timestamp())
	END + n * interval '1 us';
	id bytea := gid_send(gid_random(kind, at));
	like_minted bytea := set_byte(id, 7, get_byte(id, 0));
BEGIN
	RETURN CASE shape
		WHEN 'muid' THEN like_minted::gid
		WHEN 'byte' THEN id::gid
		WHEN 'noise' THEN set_byte(like_minted, 8, 255)::gid
	END;
END $$;

-- Runs one step.  If an id is rejected, the operation in the record is "refused".
CREATE FUNCTION step(op text, kind text, n bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
	before timestamptz;
	ids gid[] := '{}';
	id gid;
	done text := op;
BEGIN
	IF op LIKE 'see%' THEN
		id := foreign_id('o', split_part(kind, ' ', 1), split_part(kind, ' ', 2), n);
		ids := ARRAY[id];
	END IF;

	before := clock_timestamp();
	CASE op
	WHEN 'new' THEN
		ids := ARRAY[gid_new(kind)];
	WHEN 'several' THEN
		SELECT array_agg(gid_new(CASE i % 3 WHEN 0 THEN kind WHEN 1 THEN 'log' ELSE '200' END))
		INTO ids FROM generate_series(1, n) i;
	WHEN 'run' THEN
		ids := ARRAY[gid_new_run(kind, n::int)];
	WHEN 'burst' THEN	-- would count faster than the clock without waiting
		SELECT array_agg(gid_new_run('o', n::int)) INTO ids FROM generate_series(1, 200);
	WHEN 'undone' THEN
		BEGIN
			SELECT array_agg(gid_new(kind)) INTO ids FROM generate_series(1, n);
			RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
		EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
		END;
	WHEN 'see' THEN
		BEGIN
			PERFORM gid_observe(id);
		EXCEPTION WHEN datetime_field_overflow THEN
			done := 'refused';
		END;
	WHEN 'instant' THEN
		PERFORM set_config('gid.instant_source', kind, n <> 0);
	WHEN 'skew' THEN
		PERFORM set_config('gid.max_clock_skew', kind, n <> 0);
	WHEN 'look' THEN
		PERFORM gid_random(kind), gid_random(kind, clock_timestamp()), gid_observe(NULL);
	END CASE;
	RETURN record(done, n, before, ids, clock_timestamp());
END $$;

-- Moves the clock of a server under faketime by n microseconds.
CREATE FUNCTION move(n bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	path text := current_setting('model.clock');
BEGIN
	EXECUTE format('COPY (SELECT %L) TO %L', to_char(pg_read_file(path)::numeric + n / 1e6, 'SGFM9999999990.000000'), path);
END $$;
