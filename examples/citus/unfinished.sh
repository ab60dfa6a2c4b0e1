# shellcheck shell=sh disable=SC2154
# A transaction that is committed on one node, while a worker has yet to commit
# what it prepared.  Sourced by run.

shows() { on "$1" -c "SELECT shows('$2', ($3))"; }

# await NODE QUERY: waits until the query returns something, and prints it.
await() {
	patience=100
	until answer=$(on "$1" -c "$2") && [ -n "$answer" ]; do
		patience=$((patience - 1))
		[ $patience -gt 0 ] || { echo "not ok - node $1 answers: $2"; return 1; }
		sleep 0.1
	done
	echo "$answer"
}

# leave_unfinished NODE: writes through the node, and stops the backend of
# worker 2 between PREPARE TRANSACTION and COMMIT PREPARED.  Sets first, which is the
# least id, and the pids asking, of the node, and asked, of the worker.
leave_unfinished() {
	rm -f session
	mkfifo session
	$psql -h "$PWD/socket$1" -p 5432 -U writer -d "$database" <session >inserted 2>session.log &
	session=$!
	exec 3>session
	cat >&3 <<END
BEGIN;
SET LOCAL citus.max_adaptive_executor_pool_size = 1;
INSERT INTO notes (tenant) VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9) RETURNING id;
SELECT pg_current_xact_id();
END
	writing="SELECT pid FROM pg_stat_activity WHERE usename = 'writer' AND state = 'idle in transaction'"
	asking=$(await "$1" "$writing AND query LIKE '%pg_current_xact_id%'")
	asked=$(await 2 "$writing")
	first=$(grep -- - inserted | LC_ALL=C sort | head -n 1)

	kill -STOP "$asked"
	echo "COMMIT;" >&3
	exec 3>&-
	sleep 0.5					# PREPARE TRANSACTION is on its way
	kill -STOP "$asking"
	kill -CONT "$asked"
	await 2 "SELECT gid FROM pg_prepared_xacts" >/dev/null
	sleep 0.5					# and so is the answer
	kill -STOP "$asked"
	kill -CONT "$asking"
	await "$1" "SELECT status FROM pg_xact_status('$(tail -n 1 inserted)') status WHERE status = 'committed'" >/dev/null
}

for node in 0 1; do
	leave_unfinished "$node"
	shows "$node" "shared_preload_libraries = ''$(on "$node" -c "SHOW shared_preload_libraries")'': the horizon waits for the worker" \
		"SELECT gid_settled('n') <= '$first'"
	kill -CONT "$asked"
	wait "$session"
	await "$node" "SELECT 1 WHERE gid_settled('n') > '$first'" >/dev/null
done

# The backend does not wait for the worker after it was terminated twice, and
# leaves the prepared transaction to the recovery of Citus.
leave_unfinished 0
on 0 -c "SELECT pg_terminate_backend($asking)" -c "SELECT pg_sleep(0.5)" -c "SELECT pg_terminate_backend($asking)" >/dev/null
wait "$session" || true
shows 0 "a backend that is terminated does not hold the horizon" "SELECT gid_settled('n') > '$first'"
! on 0 -U poller -c "SET statement_timeout = '1s'" -c "SELECT settled_on_all_nodes('n')" 2>timeout.log || printf "not "
echo "ok - settled_on_all_nodes waits for what is prepared"
kill -CONT "$asked"
shows 0 "and for no longer" "SELECT settled_on_all_nodes('n') > '$first'"
