-- generator.sql: the functions that check/generator.py calls.
--
-- Each step returns a record: the operation, the clock before and after it, the
-- transaction, the settings, the state of the generator after it, and the ids.
-- Records are packed, because there are hundreds of thousands of them.

CREATE EXTENSION gid;

-- generator.pl adds the C function.
CREATE FUNCTION gid_new_run(kind text, n int) RETURNS gid LANGUAGE c STRICT AS '$libdir/gid';

CREATE FUNCTION record(op text, n bigint, before timestamptz, ids bytea, after timestamptz)
RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	state record;
	packed bytea;
BEGIN
	state := gid_generator();
	packed := rpad(op, 10)::bytea || int8send(n)
		|| timestamptz_send(before) || timestamptz_send(after)
		|| timestamptz_send(now()) || timestamptz_send(statement_timestamp())
		|| xid8send(pg_current_xact_id())
		|| rpad(current_setting('gid.instant_source'), 12)::bytea
		|| rpad(current_setting('gid.max_clock_skew'), 8)::bytea
		|| int4send(current_setting('gid.node')::int)
		|| int4send(coalesce(state.node, -1)) || int4send(coalesce(state.medallion, -1))
		|| timestamptz_send(coalesce(state.last_instant, '-infinity')) || int4send(coalesce(state.last_offset, -1))
		|| int8send(state.minted) || int8send(state.clock_steps) || int8send(state.overflows)
		|| ids;
	RETURN int4send(length(packed)) || packed;
END $$;

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
CREATE FUNCTION step(op text, kind text, n bigint) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	before timestamptz;
	ids bytea := '';
	id gid;
	done text := op;
BEGIN
	IF op LIKE 'see%' THEN
		id := foreign_id('o', split_part(kind, ' ', 1), split_part(kind, ' ', 2), n);
		ids := gid_send(id);
	END IF;

	before := clock_timestamp();
	CASE op
	WHEN 'new' THEN
		ids := gid_send(gid_new(kind));
	WHEN 'several' THEN
		SELECT string_agg(gid_send(gid_new(CASE i % 3 WHEN 0 THEN kind WHEN 1 THEN 'log' ELSE '200' END)), '')
		INTO ids FROM generate_series(1, n) i;
	WHEN 'run' THEN
		ids := gid_send(gid_new_run(kind, n::int));
	WHEN 'burst' THEN	-- would count faster than the clock without waiting
		SELECT string_agg(gid_send(gid_new_run('o', n::int)), '') INTO ids FROM generate_series(1, 200);
	WHEN 'undone' THEN
		BEGIN
			SELECT string_agg(gid_send(gid_new(kind)), '') INTO ids FROM generate_series(1, n);
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

CREATE FUNCTION step_by_clock(op text, kind text, n bigint) RETURNS bytea
SET gid.instant_source = clock LANGUAGE plpgsql AS $$ BEGIN RETURN step(op, kind, n); END $$;

-- Moves the clock of a server under faketime by n microseconds.
CREATE FUNCTION move(n bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	path text := current_setting('model.clock');
BEGIN
	EXECUTE format('COPY (SELECT %L) TO %L', to_char(pg_read_file(path)::numeric + n / 1e6, 'SGFM9999999990.000000'), path);
END $$;

-- Runs many steps, and ends transactions between them.
CREATE TYPE step AS (op text, kind text, n bigint);
CREATE PROCEDURE run(program step[], INOUT records bytea) LANGUAGE plpgsql AS $$
DECLARE
	log bytea[] := ARRAY[step('look', 'o', 0)];
	s step;
BEGIN
	FOREACH s IN ARRAY program LOOP
		CASE s.op
		WHEN 'commit' THEN COMMIT;
		WHEN 'rollback' THEN ROLLBACK;
		WHEN 'chain' THEN COMMIT AND CHAIN;
		WHEN 'move' THEN PERFORM move(s.n);
		WHEN 'by_clock' THEN log := array_append(log, step_by_clock('new', s.kind, s.n));
		ELSE log := array_append(log, step(s.op, s.kind, s.n));
		END CASE;
	END LOOP;
	SELECT string_agg(r, '') INTO records FROM unnest(log) r;
END $$;
