-- Ten days, with a row each minute until now.
SELECT date_trunc('day', now()) AS today \gset
INSERT INTO events (id, n)
SELECT gid_random('e', at), row_number() OVER (ORDER BY at)
FROM generate_series(timestamptz :'today' - interval '9 days', now(), '1 minute') at;
INSERT INTO events (n) SELECT -n FROM generate_series(1, 1000) n;
ANALYZE events;
CREATE TABLE marks (at timestamptz);
INSERT INTO marks VALUES (timestamptz :'today' - interval '2 days');
ANALYZE marks;

SELECT shows('each day has a chunk: ' || chunks(), chunks() BETWEEN 10 AND 11);
SELECT shows('time_bucket: each full day has ' || max(count) || ' rows', max(count) = 1440 AND min(count) = 1440 AND count(*) = 9)
FROM (SELECT time_bucket(INTERVAL '1 day', gid_timestamp(id)) AS day, count(*) FROM events WHERE n > 0 GROUP BY day) d
WHERE day < timestamptz :'today';
INSERT INTO events (id) SELECT id FROM events WHERE n = 1 ON CONFLICT (id) DO UPDATE SET n = 1;
SELECT shows('ON CONFLICT (id)', count(*) = 1) FROM events WHERE n = 1;
CREATE TABLE notes (event gid(e) PRIMARY KEY REFERENCES events);
\set ON_ERROR_STOP off
INSERT INTO notes VALUES (gid_new('e'));
SELECT shows('a foreign key to the hypertable is checked', :'SQLSTATE' = '23503');
INSERT INTO events (id) VALUES (gid_new('o'));
SELECT shows('an id of another kind is rejected', :'SQLSTATE' = '22023');
\set ON_ERROR_STOP on
DROP TABLE notes;

-- Order.
SELECT plan_of('SELECT * FROM events ORDER BY id DESC LIMIT 10') AS plan \gset
SELECT shows('ORDER BY id DESC LIMIT reads one chunk of ' || chunks(),
             :'plan' LIKE '%ChunkAppend%Order: events.id DESC%'
             AND (length(:'plan') - length(replace(:'plan', '(never executed)', ''))) / length('(never executed)') = chunks() - 1);
