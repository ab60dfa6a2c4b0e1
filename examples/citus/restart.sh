# shellcheck shell=sh disable=SC2154
# A node restarts while a worker executes an INSERT that the node sent; what crashes Citus;
# and the end of the extension.  Sourced by run.

# rows_of_restart TENANT: prints how many rows appear below a horizon that was fetched
# before.  The worker waits for a lock until after the restart.
rows_of_restart() {
	shard=$(on 0 -c "SELECT get_shard_id_for_distribution_column('notes', $1)")
	worker=$(on 0 -c "SELECT right(nodename, 1) FROM citus_shards WHERE shardid = $shard")
	on "$worker" -c "SET citus.enable_manual_changes_to_shards = on" \
		-c "BEGIN; LOCK TABLE notes_$shard IN SHARE MODE; SELECT pg_sleep(3); COMMIT" >/dev/null &
	lock=$!
	sleep 0.5
	on 0 -c "INSERT INTO notes (tenant) VALUES ($1)" 2>lost.log &
	insert=$!
	sleep 0.5
	pg_ctl restart -w -D node0 -l node0.log -m immediate >pg_ctl.log
	horizon=$(on 0 -c "SELECT settled_on_all_nodes('n')")
	before=$(on 0 -c "SELECT count(*) FROM notes WHERE tenant = $1")
	wait $lock
	wait $insert || true
	sleep 0.5
	echo $(($(on 0 -c "SELECT count(*) FROM notes WHERE tenant = $1 AND id < '$horizon'") - before))
}
missed=$(rows_of_restart 1001)
[ "$missed" = 1 ] || printf "not "
echo "ok - client_connection_check_interval = 0: rows missed when a node restarts: $missed"
for node in $nodes; do
	on "$node" -c "ALTER SYSTEM SET client_connection_check_interval = '100ms'" -c "SELECT pg_reload_conf()" >/dev/null
done
sleep 0.5
missed=$(rows_of_restart 1002)
[ "$missed" = 0 ] || printf "not "
echo "ok - client_connection_check_interval = 100ms: rows missed when a node restarts: $missed"

on 0 -c "SELECT format('UPDATE in_domain SET amount = 0 WHERE id = %L', id) FROM invoices LIMIT 1" >crash.sql
on 0 -f crash.sql >crash.log 2>&1 || true
grep -q 'server closed the connection' crash.log || printf "not "
echo "ok - UPDATE of a table that is distributed by a domain with a CHECK crashes the server"
await 0 "SELECT 1" >/dev/null 2>&1

on 0 -c "DROP TABLE events, in_domain, invoices" -c "CREATE TABLE forgotten (id gid(i))" \
	-c "SELECT create_distributed_table('forgotten', 'id', colocate_with => 'none')" \
	-c "SELECT undistribute_table('customers', cascade_via_foreign_keys => true)" \
	-c "DROP EXTENSION gid CASCADE" >drop.log
remaining=$(on 0 -c "SELECT string_agg(result, ' ') FROM run_command_on_all_nodes('SELECT count(*) FROM pg_extension WHERE extname = ''gid''')")
[ "$remaining" = "0 0 0" ] || printf "not "
echo "ok - DROP EXTENSION drops gid on all nodes"
on 0 -c "DROP TABLE customers, orders"
on 0 -c "DROP TABLE forgotten" >drop.log 2>&1 || true
grep -q 'cache lookup failed for type' drop.log || printf "not "
echo "ok - a table that was undistributed can be dropped, and one that was not cannot"
