-- The life of a volume: ids that Graft minted, commits, a conflict, reading,
-- a checkpoint, and what it leaves to collect.
\i ../checks.sql
GRANT USAGE ON SCHEMA checks TO graft_keeper;
SET ROLE graft_keeper;

-- Runs a command, and gives the error that it ended in.
CREATE FUNCTION pg_temp.error_of(command text, OUT state text, OUT message text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	state := '00000'; message := 'no error';
EXCEPTION WHEN OTHERS THEN
	state := SQLSTATE; message := SQLERRM;
END $$;

-- Ids that Graft itself minted, as text, as bytes, and in its older text form.
CREATE TEMP TABLE minted (id gid, hex text, compact gid, kind text, unix_ms bigint);
\copy minted FROM '../../vectors/graft-minted.tsv' WITH (HEADER)
SELECT checks.shows('COPY reads the ids of Graft, both forms of text alike', count(*) = 13 AND
	bool_and(id = compact AND id::bytea = decode(hex, 'hex') AND gid_kind(id) = kind
		AND gid_timestamp(id) = to_timestamp(unix_ms / 1000.0)))
FROM minted;

INSERT INTO logs (id) SELECT id FROM minted WHERE kind = 'log';
INSERT INTO segments SELECT id FROM minted WHERE kind = 'segment';

-- Which log belonged to which volume was not published; the newest that is older will do.
INSERT INTO volumes SELECT id, (SELECT max(l.id) FROM logs l WHERE l.id < gid_timestamp(v.id))
FROM minted v WHERE kind = 'volume';
SELECT checks.shows('every volume has a log', (SELECT count(*) FROM volumes) = 2);
SELECT min(id) AS volume FROM volumes \gset
SELECT min(id) AS s1, max(id) AS s2, gid_new('segment') AS s3, gid_new('segment') AS s4 FROM segments \gset
INSERT INTO segments VALUES (:'s3'), (:'s4');

SELECT checks.shows('a log is no volume: ' || message, state = '22023')
FROM pg_temp.error_of('INSERT INTO volumes SELECT log, log FROM volumes');
SELECT checks.shows('a log has no snapshot: ' || message, state = '22023')
FROM pg_temp.error_of('SELECT snapshot(log) FROM volumes');
SELECT checks.shows('a graft is not empty, starts with page 1, and ends', array_agg(state) = '{23514,23514,23514}')
FROM unnest('{"{}", "{[0,2)}", "{[1,)}"}'::text[]) g, pg_temp.error_of(format('SELECT %L::graft', g));

-- Commits.  The volume grows from 8 pages to 10, and is cut to 9 in the end.
SELECT checks.shows('a volume without commits has no snapshot', NOT EXISTS (SELECT FROM snapshot(:'volume')));
SELECT checks.shows('the first commit has LSN 1',
	commit(:'volume', 0, 8, ARRAY[:'s1']::segment_id[], '{"{[1,9)}"}') = 1);
SELECT checks.shows('the next has LSN 2',
	commit(:'volume', 1, 8, ARRAY[:'s2']::segment_id[], '{"{[3,4), [5,7)}"}') = 2);
SELECT checks.shows('a commit of two segments',
	commit(:'volume', 2, 10, ARRAY[:'s3', :'s4']::segment_id[], '{"{[9,11)}", "{[1,3)}"}') = 3);
SELECT checks.shows('a commit that only cuts', commit(:'volume', 3, 9, '{}', '{}') = 4);

SELECT checks.shows('a commit on an old snapshot is rejected: ' || message, state = '40001')
FROM pg_temp.error_of(format('SELECT commit(%L, 1, 8, ARRAY[%L]::segment_id[], %L)', :'volume', :'s3', '{"{[1,2)}"}'));
SELECT checks.shows('a commit on a future LSN is rejected', state = '40001')
FROM pg_temp.error_of(format('SELECT commit(%L, 9, 8, ARRAY[%L]::segment_id[], %L)', :'volume', :'s3', '{"{[1,2)}"}'));
SELECT checks.shows('an empty commit on an old snapshot is rejected as well', state = '40001')
FROM pg_temp.error_of(format('SELECT commit(%L, 1, 8, %L, %L)', :'volume', '{}', '{}'));
SELECT checks.shows('the same commit once more gets the same answer',
	commit(:'volume', 1, 8, ARRAY[:'s2']::segment_id[], '{"{[3,4), [5,7)}"}') = 2 AND (SELECT count(*) FROM commits) = 4);
SELECT checks.shows('a page written twice is rejected: ' || message, state = '22023')
FROM pg_temp.error_of(format('SELECT commit(%L, 4, 9, ARRAY[%L, %L]::segment_id[], %L)',
	:'volume', :'s3', :'s4', '{"{[1,4)}", "{[3,5)}"}'));
SELECT checks.shows('a page after the last is rejected', state = '22023')
FROM pg_temp.error_of(format('SELECT commit(%L, 4, 9, ARRAY[%L]::segment_id[], %L)', :'volume', :'s3', '{"{[9,11)}"}'));

-- Reading.
SELECT checks.shows('the latest snapshot', (SELECT (lsn, page_count) = (4, 9) FROM snapshot(:'volume')));
SELECT checks.shows('an older snapshot', (SELECT (lsn, page_count) = (2, 8) FROM snapshot(:'volume', 2)));
SELECT checks.shows('no snapshot of what is yet to come', NOT EXISTS (SELECT FROM snapshot(:'volume', 5)));
SELECT checks.shows('pull_graft: what changed from LSN 2 to 3',
	(SELECT (lsn, page_count, graft) = (3, 10, '{[1,4), [5,7), [9,11)}'::int4multirange)
	FROM pull_graft(:'volume', 2, 3)));
SELECT checks.shows('pull_commits: each commit with its segments',
	(SELECT array_agg(lsn) = '{2,3,3,4}' AND array_agg(segment) = ARRAY[:'s2', :'s3', :'s4', NULL]::gid[]
	FROM pull_commits(:'volume', 2)));

-- A map of a snapshot, as text, to compare.
CREATE FUNCTION pg_temp.map(volume volume_id, at bigint) RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(graft::text, ' ' ORDER BY segment) FROM page_map(volume, at));
SELECT checks.shows('page_map: which segment to read each page from',
	pg_temp.map(:'volume', 1) = '{[1,9)}' AND
	pg_temp.map(:'volume', 2) = '{[1,3),[4,5),[7,9)} {[3,4),[5,7)}' AND
	pg_temp.map(:'volume', 3) = '{[4,5),[7,9)} {[3,4),[5,7)} {[9,11)} {[1,3)}' AND
	pg_temp.map(:'volume', 4) = '{[4,5),[7,9)} {[3,4),[5,7)} {[9,10)} {[1,3)}');

-- Pages 4, 7 and 8 are written again: nothing is read from the first segment any more.
-- The second one is used again, as a segment may be that has pages of several commits.
SELECT gid_new('segment') AS s5 \gset
INSERT INTO segments VALUES (:'s5');
SELECT checks.shows('a fifth commit',
	commit(:'volume', 4, 9, ARRAY[:'s5', :'s2']::segment_id[], '{"{[4,5), [7,9)}", "{[1,2)}"}') = 5);

-- A checkpoint changes no snapshot that is still there.
SELECT pg_temp.map(:'volume', 5) AS before \gset
SELECT checkpoint(:'volume', 5);
SELECT checks.shows('a checkpoint leaves the pages where they are', pg_temp.map(:'volume', 5) = :'before');
SELECT checks.shows('history begins at the checkpoint', (SELECT array_agg(lsn) = '{5}' FROM commits)
	AND NOT EXISTS (SELECT FROM snapshot(:'volume', 4)));
SELECT checks.shows('a pull without a first LSN begins there, with every page',
	(SELECT (lsn, graft) = (5, '{[1,10)}'::int4multirange) FROM pull_graft(:'volume')));
SELECT checks.shows('a pull from before is rejected: ' || message, state = '22023')
FROM pg_temp.error_of(format('SELECT pull_commits(%L, 3)', :'volume'));
SELECT checks.shows('a commit on an LSN before the checkpoint is rejected', state = '40001')
FROM pg_temp.error_of(format('SELECT commit(%L, 2, 9, ARRAY[%L]::segment_id[], %L)', :'volume', :'s3', '{"{[1,2)}"}'));
SELECT checks.shows('no checkpoint where there is no commit', state = 'P0002')
FROM pg_temp.error_of(format('SELECT checkpoint(%L, 3)', :'volume'));

-- Garbage: the first segment, and ten thousand that were written and never committed, one a minute.
INSERT INTO segments SELECT gid_random('segment', timestamptz '2025-12-01 00:00Z' + n * interval '1 minute')
FROM generate_series(0, 9999) n;
RESET ROLE;
ANALYZE segments;
SET ROLE graft_keeper;
SELECT checks.shows('garbage is what is old and not in use', (SELECT count(*) = 8641 AND bool_or(g = :'s1')
	AND bool_and(g NOT IN (:'s2', :'s3', :'s4', :'s5')) FROM garbage('2025-12-07 00:00Z') g));
SELECT string_agg(line, E'\n') AS plan
FROM checks.plan_of($$SELECT garbage FROM garbage('2025-12-01 02:00Z')$$) line \gset
SELECT checks.shows('the primary key finds what is old', :'plan' ~ 'using segments_pkey.*\n *Index Cond: \(id < ');
SELECT checks.shows('it is collected', (SELECT count(*) FROM collect_garbage('2025-12-07 00:00Z')) = 8641);
SELECT checks.shows('once', NOT EXISTS (SELECT FROM collect_garbage('2025-12-07 00:00Z')));
SELECT checks.shows('later, the rest of the garbage is collected', (SELECT count(*) FROM collect_garbage('infinity')) = 1360);
SELECT checks.shows('what is left is in use', (SELECT array_agg(id ORDER BY id) FROM segments) =
	(SELECT array_agg(DISTINCT segment) FROM commit_segments));
