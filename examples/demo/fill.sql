-- One day's rows into both tables; prints the milliseconds that each took.
-- The day is :day, from 1, ten days ago, to 10, today.
SELECT clock_timestamp() AS began \gset
INSERT INTO segments
SELECT gid_random('segment', now() - interval '10 days' + (:day - 1 + n / 100000.0) * interval '1 day'), 'segment ' || n
FROM generate_series(1, 100000) n;
SELECT clock_timestamp() AS between \gset
INSERT INTO segments_by_uuid (created_at, body)
SELECT now() - interval '10 days' + (:day - 1 + n / 100000.0) * interval '1 day', 'segment ' || n
FROM generate_series(1, 100000) n;
SELECT round(1000 * extract(epoch FROM :'between'::timestamptz - :'began')),
	   round(1000 * extract(epoch FROM clock_timestamp() - :'between'));
