-- The calls of a metastore, by the names that Graft has for them.

-- The snapshot at an LSN, or else the latest.
CREATE FUNCTION snapshot(volume volume_id, at bigint DEFAULT NULL)
RETURNS TABLE (lsn bigint, page_count int) LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT c.lsn, c.page_count FROM volumes v JOIN commits c USING (log)
	WHERE v.id = volume AND c.lsn = coalesce(at, (SELECT max(h.lsn) FROM commits h WHERE h.log = v.log));
END;

-- The commits from one LSN to another, with a row for each segment.  Without a
-- first LSN, history begins at the checkpoint; what is asked for from before it
-- is rejected, since an answer with commits missing would look complete.
CREATE FUNCTION pull_commits(volume volume_id, first bigint DEFAULT NULL, last bigint DEFAULT NULL)
RETURNS TABLE (lsn bigint, page_count int, segment gid, graft graft) LANGUAGE plpgsql STABLE AS $$
DECLARE
	l logs := (SELECT l FROM volumes v JOIN logs l ON l.id = v.log WHERE v.id = volume);
BEGIN
	IF first < l.checkpoint THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('LSN %s is before the checkpoint at LSN %s', first, l.checkpoint);
	END IF;
	RETURN QUERY
		SELECT c.lsn, c.page_count, s.segment, s.graft
		FROM commits c LEFT JOIN commit_segments s USING (log, lsn)
		WHERE c.log = l.id AND c.lsn >= coalesce(first, l.checkpoint) AND (last IS NULL OR c.lsn <= last)
		ORDER BY c.lsn, s.segment;
END $$;

-- The snapshot at the end of that, with all pages that changed on the way.
CREATE FUNCTION pull_graft(volume volume_id, first bigint DEFAULT NULL, last bigint DEFAULT NULL)
RETURNS TABLE (lsn bigint, page_count int, graft int4multirange) LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT p.lsn, p.page_count, range_agg(p.graft) OVER ()
	FROM pull_commits(volume, first, last) p ORDER BY p.lsn DESC LIMIT 1;
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
	IF EXISTS (
		SELECT FROM unnest(grafts) WITH ORDINALITY a (g, n), unnest(grafts) WITH ORDINALITY b (g, n)
		WHERE a.n < b.n AND a.g && b.g OR upper(a.g) > page_count + 1)
	THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'a commit writes a page once, and none after the last';
	END IF;
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
			HINT = 'Pull, and commit on the latest snapshot.';
	END IF;
	RETURN base + 1;
END $$;

-- Forgets the history before an LSN.  Segments that its snapshot still reads
-- from are held by the commit at the checkpoint from then on.
CREATE FUNCTION checkpoint(volume volume_id, at bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
	log_id gid(log);
BEGIN
	UPDATE logs SET checkpoint = at FROM volumes v, commits c
	WHERE v.id = volume AND logs.id = v.log AND c.log = v.log AND c.lsn = at
	RETURNING v.log INTO STRICT log_id;

	INSERT INTO commit_segments (log, lsn, segment, graft)
	SELECT log_id, at, m.segment, m.graft FROM page_map(volume, at) m
	ON CONFLICT ON CONSTRAINT commit_segments_pkey DO UPDATE SET graft = excluded.graft;

	DELETE FROM commits c WHERE c.log = log_id AND c.lsn < at;
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
