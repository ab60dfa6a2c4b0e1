-- The calls of a metastore, by the names that Graft has for them.

-- The snapshot at an LSN, or else the latest.
CREATE FUNCTION snapshot(volume volume_id, at bigint DEFAULT NULL)
RETURNS TABLE (lsn bigint, page_count int) LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT c.lsn, c.page_count FROM volumes v JOIN commits c USING (log)
	WHERE v.id = volume AND c.lsn = coalesce(at, (SELECT max(h.lsn) FROM commits h WHERE h.log = v.log));
END;

-- Which segment to read each page of a snapshot from: what a commit wrote, less
-- what later ones wrote again or cut off.
CREATE FUNCTION page_map(volume volume_id, at bigint)
RETURNS TABLE (segment gid, graft int4multirange) LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT s.segment, range_agg(held) FROM volumes v JOIN commit_segments s USING (log)
	CROSS JOIN LATERAL (
		SELECT int4range(1, min(c.page_count) + 1)::int4multirange AS kept,
			coalesce(range_agg(l.graft), '{}') AS rewritten
		FROM commits c LEFT JOIN commit_segments l USING (log, lsn)
		WHERE c.log = s.log AND c.lsn > s.lsn AND c.lsn <= at) later
	CROSS JOIN LATERAL (SELECT s.graft * kept - rewritten AS held) rest
	WHERE v.id = volume AND s.lsn <= at AND NOT isempty(held)
	GROUP BY s.segment;
END;

-- Commits if nobody else did since the LSN that the work was based on, and
-- returns the new LSN.  Two who commit at once try to insert the same key: the
-- second waits for the first, and is rejected unless that one rolled back.  So
-- there are no gaps, and nothing has to be locked.
CREATE FUNCTION commit(volume volume_id, base bigint, page_count int, segments segment_id[], grafts graft[])
RETURNS bigint LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
	log_id gid(log) := (SELECT v.log FROM volumes v WHERE v.id = volume);
BEGIN
	INSERT INTO commits (log, lsn, page_count)
	SELECT log_id, base + 1, page_count
	WHERE base = coalesce((SELECT max(c.lsn) FROM commits c WHERE c.log = log_id), 0)
	ON CONFLICT DO NOTHING;
	IF FOUND THEN
		INSERT INTO commit_segments (log, lsn, segment, graft)
		SELECT log_id, base + 1, s, g FROM unnest(segments, grafts) AS u (s, g);

	-- A client that lost the answer asks again, with the same segments.
	ELSIF coalesce(cardinality(segments), 0) = 0 OR EXISTS (
		SELECT unnest(segments)
		EXCEPT SELECT s.segment FROM commit_segments s WHERE s.log = log_id AND s.lsn = base + 1)
	THEN
		RAISE serialization_failure USING
			MESSAGE = format('LSN %s is not the latest', base),
			HINT = 'Read the latest snapshot, and commit on it.';
	END IF;
	RETURN base + 1;
END $$;

-- Segments that no commit needs.  Young ones are left alone: whoever wrote them
-- may be about to commit.  How old one is, its id tells.
CREATE FUNCTION garbage(before timestamptz) RETURNS SETOF gid LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT s.id FROM segments s
	WHERE s.id < before AND NOT EXISTS (SELECT FROM commit_segments c WHERE c.segment = s.id);
END;

CREATE FUNCTION collect_garbage(before timestamptz) RETURNS SETOF gid LANGUAGE sql
BEGIN ATOMIC
	DELETE FROM segments s USING garbage(before) g WHERE s.id = g RETURNING s.id;
END;
