// A worker that polls: it handles each row of a table, in id order, below the horizon of the server.  Requires
// node-postgres, and gid in shared_preload_libraries of the server.
import { Gid } from './gid.js';

// The kind of the column: its own, or that of its domain.
const KIND = `
	SELECT coalesce(nullif(atttypmod, -1), typtypmod) AS kind FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
	WHERE attrelid = $1::regclass AND attname = $2 AND 'pg_catalog.gid'::regtype IN (t.oid, typbasetype)`;

export class Consumer {
	#client; #callback; #statements; #parameters; #options; #isStopping = false; #wake = () => {};

	constructor(client, name, table, callback, options = {}) {
		const { id, shard, shards, cursors, batch } = this.#options = {
			id: 'id', shards: [0], cursors: 'cursors', interval: 1000, batch: 100, ...options, name, table,
		};
		const identifier = text => text.split('.').map(part => client.escapeIdentifier(part)).join('.');
		const names = { table: identifier(table), cursors: identifier(cursors), id: client.escapeIdentifier(id) };
		const inShard = shard === undefined ? '0 =' : `t.${client.escapeIdentifier(shard)} =`;
		this.#client = client;
		this.#callback = callback;
		this.#parameters = { name, shards: [...shards], batch };
		this.#statements = {
			table: names.table,
			// The shards that this consumer has no cursor for, and cursors of another kind.
			cursors: `
				SELECT s, position FROM unnest($1::int[]) AS s LEFT JOIN ${names.cursors} ON consumer = $2 AND shard = s
				WHERE position IS NULL OR gid_prefix(position) <> $3`,
			add: `INSERT INTO ${names.cursors} (consumer, shard, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			// The cursor that is furthest behind, of those that have a row to handle and that no other worker has locked.
			take: `
				SELECT shard, position FROM ${names.cursors} AS c
				WHERE consumer = $1 AND shard = ANY ($2) AND EXISTS (
					SELECT FROM ${names.table} AS t
					WHERE t.${names.id} > c.position AND t.${names.id} < gid_settled($3::text) AND ${inShard} c.shard)
				ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED`,
			read: `
				SELECT * FROM ${names.table} AS t
				WHERE t.${names.id} > $1::gid AND t.${names.id} < gid_settled($2::text) AND ${inShard} $3::int
				ORDER BY t.${names.id} LIMIT $4`,
			move: `UPDATE ${names.cursors} SET position = $1 WHERE consumer = $2 AND shard = $3`,
		};
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
		const { rows: [column] } = await this.#client.query(KIND, [this.#statements.table, id]);
		if (!column || column.kind === -1) throw new RangeError(`${table}.${id} is not a column of type gid(kind)`);
		this.#parameters.kind = column.kind;
		const start = after ?? Gid.lowerBound(column.kind, 0n);
		const { rows } = await this.#client.query(this.#statements.cursors, [shards, name, column.kind]);
		for (const { s, position } of rows) {
			if (position !== null)
				throw new RangeError(`the cursor of consumer "${name}" is not of the kind of ${table}.${id}: ` +
					'give the consumers of different tables different names');
			await this.#client.query(this.#statements.add, [name, s, String(start)]);
		}
	}

	// Handles rows of one shard in a transaction.  Returns false if there are none.
	async #handleSome() {
		const { name, shards, kind, batch } = this.#parameters;
		// FOR UPDATE has to see what another worker has moved.
		await this.#client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
		try {
			const { rows: [cursor] } = await this.#client.query(this.#statements.take, [name, shards, kind]);
			let rows = [], position;
			if (cursor)
				({ rows } = await this.#client.query(this.#statements.read, [String(cursor.position), kind, cursor.shard, batch]));
			for (const row of rows) {
				if (this.#isStopping) break;
				position = String(row[this.#options.id]);
				await this.#callback(row);
			}
			if (position !== undefined)
				await this.#client.query(this.#statements.move, [position, name, cursor.shard]);
			await this.#client.query('COMMIT');
			return rows.length > 0 && !this.#isStopping;
		} catch (error) {
			await this.#client.query('ROLLBACK').catch(() => {});
			throw error;
		}
	}
}
