# shellcheck shell=bash
#
# wide.sh: the limits of a pinned medallion.  A server that is configured for as
# many backends as there are slots, and one more; all numbers that a node can have;
# and 5,000 connections that mint at once.

: "${work:?is set by script/check}" "${bindir:?}"
slots=16384
connections=5000
psql=("$bindir/psql" -X -q -A -t -v ON_ERROR_STOP=1)

build -O2
rm -rf "$work/data" "$work/server.log"
start_server "shared_preload_libraries = 'gid'" "gid.node = 1023" "fsync = off" "jit = off" "autovacuum = off" \
	"max_connections = $slots" "max_wal_senders = 1" "max_locks_per_transaction = 10" "max_files_per_process = 64"
"${psql[@]}" -c 'CREATE EXTENSION gid' \
	-c "CREATE TABLE minted (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), node text DEFAULT current_setting('gid.node'))"

# Other processes have slots, too: the error tells how many there are of all.
mint() {
	"${psql[@]}" -c "SELECT gid_new('o')" 2>&1
}
configured=$(sed -n 's/.*configured for \([0-9]*\)\..*/\1/p' <(mint))
expect "a server configured for $configured backends mints nothing" test "$configured" -gt $slots
limit=$((2 * slots - configured))

set_connections() {
	"${psql[@]}" -c "ALTER SYSTEM SET max_connections = $1"
	stop_server
	start_again
}
refuse_to_mint() {
	grep -F "configured for $1." <(mint)
}
set_connections $((limit + 1))
expect "neither does one configured for $((slots + 1))" refuse_to_mint $((slots + 1))
set_connections $limit
expect "one configured for $slots does" mint

# The only sender of WAL has the last slot of all.
expect "the last slot of the last node has the largest medallion" \
	test "$("${psql[@]}" -d "dbname=postgres replication=database" -c "SELECT gid_medallion(gid_new('o'))")" = $((2 ** 24 - 1))

# mint_at_once: all are connected before the first one mints.
echo 'INSERT INTO minted DEFAULT VALUES' >"$work/mint.sql"
mint_at_once() {
	"${psql[@]}" -c 'TRUNCATE minted'
	(ulimit -n $((connections + 100)) && "$bindir/pgbench" -n -c "$connections" -j 2 -t 1 -f "$work/mint.sql")
}
# of_minted EXPRESSION VALUE
of_minted() {
	[ "$("${psql[@]}" -c "SELECT $1 FROM minted")" = "$2" ]
}

# A backend takes up to 2 MB.
memory=$(awk '/^MemAvailable:/ { print int($2 / 2048) }' /proc/meminfo)
open_files=$(ulimit -H -n)
if [ "$memory" -lt $connections ] || { [ "$open_files" != unlimited ] && [ "$open_files" -lt $((connections + 100)) ]; }; then
	skip "$connections connections" "memory is enough for $memory, and $open_files files can be open"
else
	expect "$connections connections at once mint, pinned" mint_at_once
	expect "each of them has an id" of_minted 'count(*)' "$connections"
	expect "each has a slot of its own" of_minted 'count(DISTINCT gid_medallion(id))' "$connections"
	expect "all are of one node" of_minted 'min(gid_node(id)) = 1023 AND max(gid_node(id)) = 1023' t
	expect "gid_settled() is above them all" of_minted "gid_settled('o') > max(id)" t
	"${psql[@]}" -c 'ALTER SYSTEM SET gid.node = -1'
	stop_server
	start_again
	expect "$connections connections at once mint, not pinned" mint_at_once
	expect "each of these has an id" of_minted 'count(*)' "$connections"
fi

# A session hears of a new node some time after the reload.
"${psql[@]}" -c 'TRUNCATE minted'
missing="SELECT n FROM generate_series(0, 1023) n WHERE n::text NOT IN (SELECT node FROM minted)"
patience=$((SECONDS + 300))
until of_minted 'count(DISTINCT node)' 1024 || [ $SECONDS -gt $patience ]; do
	for node in $("${psql[@]}" -c "$missing"); do
		print "ALTER SYSTEM SET gid.node = $node; SELECT pg_reload_conf(), pg_sleep(0.005); INSERT INTO minted DEFAULT VALUES;"
	done | "${psql[@]}" -f - >/dev/null
done
expect "each of 1,024 nodes mints" of_minted 'count(DISTINCT gid_node(id))' 1024
expect "its ids tell so" of_minted 'bool_and(gid_node(id)::text = node)' t
