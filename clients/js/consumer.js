// A worker that polls: it handles each row of a table, in id order, below the horizon of the server.  Requires
// node-postgres.  For a column of type gid(kind), the server must preload gid.  For a column of type uuid, the database
// must have the functions of examples/managed/gid.sql.
import { Gid } from './gid.js';

// All functions, operators and types are qualified: in a schema of search_path, another role can have created one that
// matches better.  A domain over gid, for example, can have operators.

// Whether the column is a uuid, and its kind: its own, or that of its domain, which can be over another domain.
const KIND = `
	WITH RECURSIVE types AS (
		SELECT atttypid AS type, atttypmod AS kind FROM pg_catalog.pg_attribute
		WHERE attrelid OPERATOR(pg_catalog.=) $1::pg_catalog.regclass AND attname OPERATOR(pg_catalog.=) $2::pg_catalog.name
		UNION ALL
		SELECT typbasetype, greatest(kind, typtypmod) FROM types JOIN pg_catalog.pg_type ON oid OPERATOR(pg_catalog.=) type
		WHERE typtype OPERATOR(pg_catalog.=) 'd')
	SELECT type OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype AS "isUuid", kind FROM types
	WHERE type OPERATOR(pg_catalog.=) ANY (ARRAY[pg_catalog.to_regtype('pg_catalog.gid'), 'pg_catalog.uuid'])`;
// Why the worker would miss rows.  It asks at the start, and then each minute, because others can change the tables.
const UNCOVERED = 'SELECT * FROM pg_catalog.gid_uncovered($1::pg_catalog.regclass, $2::pg_catalog.name) LIMIT 1';
const UNCOVERED_PLAIN_SQL = `
	SELECT * FROM gid.gid_uncovered($3::pg_catalog.text, $1::pg_catalog.regclass, $2::pg_catalog.name) LIMIT 1`;
const MINUTE = 60_000;
// A transaction of its own asks, before the one that reads.  If the rows are on another server, that server's snapshot must
// also be newer than the horizon.
const ASK = 'SELECT pg_catalog.gid_settled($1::pg_catalog.text) AS horizon';
const ASK_PLAIN_SQL = 'CALL gid.gid_settled($1::pg_catalog.text, NULL)';
// FOR UPDATE has to see what another worker has moved.
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
// The shard of a cursor of a consumer that reads all shards.
const ALL = -1;

export class Consumer {
	#client; #callback; #statements; #parameters; #options; #isStopping = false; #nextCheck = 0; #wake = () => {};

	constructor(client, name, table, callback, options = {}) {
		const { shard, shards, batch } = this.#options = {
			id: 'id', cursors: 'cursors', interval: 1000, batch: 100, ...options, name, table,
		};
		if ((shard === undefined) !== (shards === undefined)) throw new RangeError('shard and shards must be given together');
		const numbers = shards === undefined ? [ALL] : [...shards];
		if (shards !== undefined && !(Math.min(...numbers) >= 0 && numbers.length > 0))
			throw new RangeError('shards must be numbers from 0');
		this.#client = client;
		this.#callback = callback;
		this.#parameters = { name, shards: numbers, batch };
	}

	#statementsFor(isUuid) {
		const { id, shard, table, cursors } = this.#options;
		const type = isUuid ? 'pg_catalog.uuid' : 'pg_catalog.gid';
		const column = this.#client.escapeIdentifier(id);
		const names = { table: this.#identifier(table), cursors: this.#identifier(cursors), id: column };
		const shardOf = shard === undefined ? ALL : `t.${this.#client.escapeIdentifier(shard)}`;
		return {
			// The shards that this consumer has no cursor for, and cursors of another kind.
			cursors: `
				SELECT s, position FROM pg_catalog.unnest($1::int[]) AS s
				LEFT JOIN ${names.cursors} ON consumer OPERATOR(pg_catalog.=) $2 AND shard OPERATOR(pg_catalog.=) s
				WHERE position IS NULL
				   OR pg_catalog.get_byte(pg_catalog.uuid_send(position::pg_catalog.uuid), 0) OPERATOR(pg_catalog.<>) $3`,
			add: `INSERT INTO ${names.cursors} (consumer, shard, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			// The cursor that is furthest behind, of those that have a row to handle and that no other worker has locked.
			take: `
				SELECT shard, position FROM ${names.cursors} AS c
				WHERE consumer OPERATOR(pg_catalog.=) $1 AND shard OPERATOR(pg_catalog.=) ANY ($2::int[]) AND EXISTS (
					SELECT FROM ${names.table} AS t
					WHERE t.${names.id} OPERATOR(pg_catalog.>) c.position AND t.${names.id} OPERATOR(pg_catalog.<) $3::${type}
					  AND ${shardOf} OPERATOR(pg_catalog.=) c.shard)
				ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED`,
			read: `
				SELECT * FROM ${names.table} AS t
				WHERE t.${names.id} OPERATOR(pg_catalog.>) $1::${type} AND t.${names.id} OPERATOR(pg_catalog.<) $2::${type}
				  AND ${shardOf} OPERATOR(pg_catalog.=) $3::int
				ORDER BY t.${names.id} LIMIT $4`,
			move: `
				UPDATE ${names.cursors} SET position = $1
				WHERE consumer OPERATOR(pg_catalog.=) $2 AND shard OPERATOR(pg_catalog.=) $3`,
		};
	}

	#identifier(text) {
		return text.split('.').map(part => this.#client.escapeIdentifier(part)).join('.');
	}

	async run() {
		const { channel, interval } = this.#options;
		let notified = false, failure;
		const notify = () => { notified = true; this.#wake(); };
		const stop = () => this.stop();
		const signals = ['SIGINT', 'SIGTERM'];
		this.#client.on('notification', notify);
		// A connection that is lost emits more than one error, the last ones after this function.
		this.#client.on('error', error => { failure ??= error; this.#wake(); });
		for (const signal of signals) process.on(signal, stop);
		try {
			await this.#prepare();
			if (channel !== undefined) await this.#client.query(`LISTEN ${this.#client.escapeIdentifier(channel)}`);
			while (!this.#isStopping) {
				notified = false;
				while (await this.#handleSome());
				// A transaction that delayed the horizon may have been rolled back, or another worker killed.  PostgreSQL
				// notifies of neither, so the worker looks each second, too.
				if (!notified && !failure && !this.#isStopping) await this.#wait(interval);
				if (failure) throw failure;
			}
		} finally {
			this.#client.off('notification', notify);
			for (const signal of signals) process.off(signal, stop);
		}
	}

	stop() {
		this.#isStopping = true;
		this.#wake();
	}

	#wait(interval) {
		return new Promise(resolve => {
			const timer = setTimeout(resolve, interval);
			this.#wake = () => { clearTimeout(timer); resolve(); };
		});
	}

	// Finds the kind, and adds the cursors that are missing.
	async #prepare() {
		const { id, table, after } = this.#options;
		const { name, shards } = this.#parameters;
		const { rows: [column] } = await this.#client.query(KIND, [this.#identifier(table), id]);
		const { isUuid, kind: declared } = column ?? { kind: -1 };
		const kind = isUuid && this.#options.kind !== undefined ? Gid.prefix(Gid.lowerBound(this.#options.kind, 0n)) : declared;
		if (kind === -1)
			throw new RangeError(`${table}.${id} is ${isUuid ? 'of type uuid: give the kind' : 'not a column of type gid(kind)'}`);
		const uncovered = isUuid ? [UNCOVERED_PLAIN_SQL, kind] : [UNCOVERED];
		Object.assign(this.#parameters, { kind, ask: isUuid ? ASK_PLAIN_SQL : ASK, uncovered });
		await this.#check();
		this.#statements = this.#statementsFor(isUuid);
		const first = Gid.parse(after ?? Gid.lowerBound(kind, 0n)), start = isUuid ? Gid.explain(first).uuid : first;
		if (Gid.prefix(first) !== kind) throw new RangeError(`after is not of the kind of ${table}.${id}`);
		const { rows } = await this.#client.query(this.#statements.cursors, [shards, name, kind]);
		for (const { s, position } of rows) {
			if (position !== null)
				throw new RangeError(`the cursor of consumer "${name}" is not of the kind of ${table}.${id}: ` +
					'give the consumers of different tables different names');
			await this.#client.query(this.#statements.add, [name, s, start]);
		}
	}

	// Throws an error if the worker would miss rows.  It asks each minute.
	async #check() {
		const { id, table, covered } = this.#options, [query, ...kind] = this.#parameters.uncovered;
		if (covered || performance.now() < this.#nextCheck) return;
		for (const { object, reason, fix } of (await this.#client.query(query, [this.#identifier(table), id, ...kind])).rows)
			throw new RangeError(`the worker would miss rows that arrive through ${object}: ${reason}` +
				(fix ? `: execute ${fix}, or give covered: true if all writers call gid_new` : ''));
		this.#nextCheck = performance.now() + MINUTE;
	}

	// Handles rows of one shard in a transaction.  Returns false if there are none.
	async #handleSome() {
		await this.#check();
		const { name, shards, kind, ask, batch } = this.#parameters;
		let horizon;
		await this.#transaction(async () => {
			({ rows: [{ horizon }] } = await this.#client.query(ask, [kind]));
		});
		if (horizon === null) return false;
		return this.#transaction(async () => {
			const bound = String(horizon);
			const { rows: [cursor] } = await this.#client.query(this.#statements.take, [name, shards, bound]);
			let rows = [], position;
			if (cursor)
				({ rows } = await this.#client.query(this.#statements.read, [cursor.position, bound, cursor.shard, batch]));
			for (const row of rows) {
				if (this.#isStopping) break;
				position = row[this.#options.id];
				await this.#callback(row);
			}
			if (position !== undefined)
				await this.#client.query(this.#statements.move, [position, name, cursor.shard]);
			return rows.length > 0 && !this.#isStopping;
		});
	}

	async #transaction(body) {
		await this.#client.query(BEGIN);
		try {
			const result = await body();
			await this.#client.query('COMMIT');
			return result;
		} catch (error) {
			await this.#client.query('ROLLBACK').catch(() => {});
			throw error;
		}
	}
}
