# shellcheck shell=sh disable=SC2154,SC2016
# Polls all rows after a cursor, in each way, while every node writes.  Sourced by run.
# The first way, the minimum of all nodes, is in the page.
sed -n '/^CREATE FUNCTION settled_on_all_nodes/,/^```/{/^```/!p;}' ../../doc/servers/citus.md >functions.sql
on 0 -f functions.sql -f polling.sql

# poll WAY NODE: polls until the writers have ended, and then once more.  The
# cursor is the last id of those that were read, which are in a file.
poll() {
	SEEN=$PWD/seen-$1-$2
	export SEEN
	on 0 -c "SELECT gid_lower_bound('n', '-infinity')" >"$SEEN"
	{
		while [ ! -f written ]; do
			cat "poll-$1.sql"
			sleep 0.1
		done
		sleep 1
		cat "poll-$1.sql"
	} | on "$2" -U poller
}

announcers='' pollers='' writers=''
for node in $nodes; do
	$psql -h "$PWD/socket$node" -p 5432 -U announcer -d "$database" -f announce.sql >/dev/null &
	announcers="$announcers $!"
done
ways="minimum-0 minimum-1 horizons-0 horizons-2 wrong-0"
for way in $ways; do
	poll "${way%-*}" "${way#*-}" &
	pollers="$pollers $!"
done
for node in $nodes; do
	pgbench -h "$PWD/socket$node" -p 5432 -U writer -n -f write.sql -c 2 -T 15 "$database" >"pgbench$node.log" 2>&1 &
	writers="$writers $!"
done

# Meanwhile shards move from worker to worker.
sleep 2
on 0 -f move.sql >moved 2>move.log
for writer in $writers; do wait "$writer"; done
touch written
for poller in $pollers; do wait "$poller"; done
# shellcheck disable=SC2086
kill $announcers

# What was read, compared with what was committed.
on 0 -c "SELECT id FROM notes ORDER BY id" >committed
[ -s moved ] || { cat move.log; printf "not "; }
echo "ok - shards are moved meanwhile: $(wc -l <moved)"
for way in $ways; do
	tail -n +2 "seen-$way" >found
	missed=$(LC_ALL=C comm -13 found committed | wc -l)
	of="$missed of $(wc -l <committed) rows missed through node ${way#*-}"
	case $way in
	wrong-*)
		[ "$missed" -gt 0 ] || printf "not "
		echo "ok - with gid_settled in the query of each shard, rows are missed: $of" ;;
	*)
		cmp -s found committed || printf "not "
		echo "ok - poll-${way%-*}.sql reads each row once, in order: $of" ;;
	esac
done

# With gid.settled_requires_own_query on every node, the wrong way is an error.
for node in $nodes; do
	on "$node" -c "ALTER SYSTEM SET gid.settled_requires_own_query = on" -c "SELECT pg_reload_conf()" >/dev/null
done
until [ "$(on 0 -c "SELECT count(*) FROM run_command_on_all_nodes('SHOW gid.settled_requires_own_query') WHERE result = 'on'")" = 3 ]; do
	sleep 0.1
done
for condition in "id < gid_settled('n')" "tenant = 1 AND id < gid_settled('n')" "id < (SELECT gid_settled('n'))" \
	"id < horizon_of_node('n')" "tenant = 1 AND id < horizon_of_node('n')" "id < (SELECT horizon_of_node('n'))"; do
	on 0 -U poller -c "SELECT id FROM notes WHERE $condition" >found 2>&1 || true
	grep -q 'in a query that names a table' found || printf "not "
	echo "ok - gid.settled_requires_own_query: an error in a query of a distributed table, where $condition"
done
on 0 -U poller -c "SELECT CASE WHEN settled_on_all_nodes('n') IS NOT NULL THEN 'ok' ELSE 'not ok' END || ' - gid.settled_requires_own_query: the horizon of all nodes'"
