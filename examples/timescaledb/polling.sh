# shellcheck shell=sh disable=SC2154
# Polls a hypertable while writers create chunks.  Sourced by run.
$psql -f polling.sql

$psql -c "SELECT gid_lower_bound('e', '-infinity')" >seen
pgbench -n -f write.sql -c 8 -T 10 >pgbench.log 2>&1 &
writers=$!
{
	while kill -0 $writers 2>/dev/null; do
		cat poll.sql
		sleep 0.02
	done
	sleep 0.5
	cat poll.sql poll.sql
} | $psql
$psql -c "SELECT id FROM live ORDER BY id" >committed
tail -n +2 seen >found
of="$(LC_ALL=C comm -13 found committed | wc -l) of $(wc -l <committed) rows missed, in $($psql -c "
	SELECT count(*) FROM timescaledb_information.chunks WHERE hypertable_name = 'live'") chunks"
cmp -s found committed && [ -s found ] || printf "not "
echo "ok - polling reads each row once, in order: $of"

# late HORIZON: prints what a poll reads, where a transaction creates an earlier chunk and
# commits after the poll was planned and before it is executed.
late() {
	PGAPPNAME=late $psql >late.log <<-'END' &
		BEGIN;
		SELECT gid_new('e');
		SELECT pg_sleep(3);
		INSERT INTO slow (n) VALUES (1);
		COMMIT;
	END
	sleep 1.5
	$psql <<-END
		INSERT INTO slow (n) VALUES (2);
		SELECT gid_settled('e') AS horizon \\gset
		WITH polled AS MATERIALIZED (SELECT n FROM slow WHERE id < $1)
		SELECT coalesce(string_agg(n::text, ' '), 'nothing') FROM polled, generate_series(1, 1) one WHERE one > after_late();
	END
	wait $!
	$psql -c "DELETE FROM slow"
}
found=$(late "gid_settled('e')")
[ "$found" = 2 ] || printf "not "
echo "ok - with gid_settled in the same statement, a row in a new chunk is missed: the poll reads $found"
found=$(late ":'horizon'")
[ "$found" = nothing ] || printf "not "
echo "ok - with the horizon of an earlier statement, the poll reads $found"
