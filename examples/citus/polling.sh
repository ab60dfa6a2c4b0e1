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
