# shellcheck shell=sh disable=SC2154
# INSERT … SELECT from a distributed table, while rows are written and polled.  Sourced by run.
on 0 -f copying.sql

# copy NAME SOURCE: inserts many rows, and sets missed, the number of those that a poller misses.
copy() {
	rm -f copied
	SEEN=$PWD/seen-$1
	export SEEN
	on 0 -c "SELECT gid_lower_bound('n', '-infinity')" -c "DELETE FROM copies" >"$SEEN"
	{
		while [ ! -f copied ]; do
			echo "INSERT INTO copies (tenant) VALUES (0);"
			sleep 0.05
		done
	} | on 0 -U writer &
	writer=$!
	{
		while [ ! -f copied ]; do
			sed 's/notes/copies/; s/LIMIT 1000/LIMIT 1000000/' poll-minimum.sql
			sleep 0.05
		done
		sleep 1
		sed 's/notes/copies/; s/LIMIT 1000/LIMIT 1000000/' poll-minimum.sql
	} | on 0 -U poller &
	poller=$!
	sleep 1
	on 0 -U writer -c "INSERT INTO copies (tenant) SELECT tenant % 10 FROM $2"
	sleep 1
	touch copied
	wait "$writer"
	wait "$poller"
	on 0 -c "SELECT id FROM copies ORDER BY id" >committed
	tail -n +2 "$SEEN" >found
	missed=$(LC_ALL=C comm -13 found committed | wc -l)
	of="$missed of $(wc -l <committed) rows missed"
}

copy workers sources
[ "$missed" -gt 0 ] || printf "not "
echo "ok - INSERT … SELECT from a distributed table is not covered: $of"
copy here "(SELECT tenant FROM sources OFFSET 0) x"
[ "$missed" = 0 ] || printf "not "
echo "ok - with OFFSET 0, the node of the client mints: $of"
