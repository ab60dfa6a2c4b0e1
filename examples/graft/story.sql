-- The life of a volume: ids that Graft minted, commits, a conflict, reading, and
-- the segments that no commit needs.
\i ../checks.sql

-- Ids that Graft itself minted.
CREATE TEMP TABLE minted (id gid, hex text, compact gid, kind text, unix_ms bigint);
\copy minted FROM '../../vectors/graft-minted.tsv' WITH (HEADER)
INSERT INTO logs (id) SELECT id FROM minted WHERE kind = 'log';
INSERT INTO segments SELECT id FROM minted WHERE kind = 'segment';
-- Which log belonged to which volume was not published; the newest that is older will do.
INSERT INTO volumes SELECT id, (SELECT max(l.id) FROM logs l WHERE l.id < gid_timestamp(v.id))
FROM minted v WHERE kind = 'volume';
SELECT checks.shows('ids of Graft: two volumes and their logs', count(*) = 2) FROM volumes JOIN logs ON logs.id = log;
SELECT min(id) AS volume FROM volumes \gset
SELECT min(id) AS s1, max(id) AS s2, gid_new('segment') AS s3, gid_new('segment') AS s4 FROM segments \gset
INSERT INTO segments VALUES (:'s3'), (:'s4');

SELECT checks.shows(format('%s: %s', what, statement), checks.state_of(statement) = '22023')
FROM (VALUES ('a log is no volume', 'INSERT INTO volumes SELECT log, log FROM volumes'),
	('a log has no snapshot', 'SELECT snapshot(log) FROM volumes')) AS wrong (what, statement);

-- Commits.  The volume grows from 8 pages to 10, and is cut to 9 in the end.
SELECT checks.shows('LSNs have no gaps', (
	commit(:'volume', 0, 8, ARRAY[:'s1']::segment_id[], '{"{[1,9)}"}'),
	commit(:'volume', 1, 8, ARRAY[:'s2']::segment_id[], '{"{[3,4), [5,7)}"}'),
	commit(:'volume', 2, 10, ARRAY[:'s3', :'s4']::segment_id[], '{"{[9,11)}", "{[1,3)}"}'),
	commit(:'volume', 3, 9, '{}', '{}')) = (1, 2, 3, 4));
SELECT checks.shows('a commit on an old snapshot is rejected',
	checks.state_of(format('SELECT commit(%L, 1, 8, ARRAY[%L]::segment_id[], %L)', :'volume', :'s3', '{"{[1,2)}"}')) = '40001');
SELECT checks.shows('the same commit once more gets the same answer',
	commit(:'volume', 1, 8, ARRAY[:'s2']::segment_id[], '{"{[3,4), [5,7)}"}') = 2 AND (SELECT count(*) FROM commits) = 4);

-- Reading.
SELECT checks.shows('the latest snapshot, and an older one',
	(SELECT (lsn, page_count) = (4, 9) FROM snapshot(:'volume')) AND (SELECT (lsn, page_count) = (2, 8) FROM snapshot(:'volume', 2)));
SELECT checks.shows('page_map: which segment to read each page from',
	string_agg(graft::text, ' ' ORDER BY segment) = '{[4,5),[7,9)} {[3,4),[5,7)} {[9,10)} {[1,3)}') FROM page_map(:'volume', 4);

-- Garbage: ten thousand segments that were written and never committed, one a minute.
INSERT INTO segments SELECT gid_random('segment', timestamptz '2025-12-01 00:00Z' + n * interval '1 minute')
FROM generate_series(0, 9999) n;
ANALYZE segments;
SELECT string_agg(line, E'\n') AS plan
FROM checks.plan_of($$SELECT garbage FROM garbage('2025-12-01 02:00Z')$$) line \gset
SELECT checks.shows('the primary key finds what is old', :'plan' ~ 'using segments_pkey.*\n *Index Cond: \(id < ');
SELECT checks.shows('garbage is what is old and not in use', (SELECT count(*) FROM collect_garbage('2025-12-07 00:00Z')) = 8640
	AND NOT EXISTS (SELECT FROM commit_segments LEFT JOIN segments ON id = segment WHERE id IS NULL));
