-- What the committers left: three of the four made 25 commits each.
SELECT log FROM volumes ORDER BY id DESC LIMIT 1 \gset
SELECT checks.shows('four at once leave no gap', count(*) = 75 AND min(lsn) = 1 AND max(lsn) = 75)
FROM commits WHERE log = :'log';
SELECT checks.shows('each of their commits has its segment', count(DISTINCT segment) = 75)
FROM commit_segments WHERE log = :'log';
SELECT checks.shows('those who were late, or gave up, left garbage', count(*) > 25)
FROM garbage('infinity');
