import type { KindLike } from './gid.js';

export interface ConsumerOptions {
	/** The column of type gid(kind) or uuid; `'id'` if it is not named. */
	id?: string;
	/** The kind of a column of type uuid. */
	kind?: KindLike;
	/**
	 * A column with the number of a row's shard.  Workers of one consumer share the shards; without shards, one of
	 * them works and the others wait.
	 */
	shard?: string;
	/** With `shard`: the numbers of the shards that this worker handles, 0 or more. */
	shards?: Iterable<number>;
	/** The table of cursors, `'cursors'` if it is not named; may have a schema. */
	cursors?: string;
	/** NOTIFY on this channel wakes the worker, which looks every `interval` milliseconds as well. */
	channel?: string;
	/** In milliseconds: 1000. */
	interval?: number;
	/** How many rows a transaction handles at most: 100.  The transaction is open all the while. */
	batch?: number;
	/** The id after which a new consumer begins, instead of before the first row. */
	after?: string;
	/**
	 * True if all writers call gid_new on this server, in the transaction that inserts the row, although gid_uncovered()
	 * returns a reason why rows can be missed.  The worker misses other rows, and without this option it does not start,
	 * or ends within about a minute.
	 */
	covered?: boolean;
}

/**
 * Calls a function for each row of a table, in id order.
 *
 * The table of cursors keeps how far each consumer has come:
 *
 *     CREATE TABLE cursors (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard));
 *
 * Each row is handled at least once.  The cursor moves in the transaction in which rows were read and handled.  If the
 * worker is killed before that transaction commits, the next worker handles those rows again.  What the callback
 * executes by the same client is part of the transaction, and happens once.
 */
export class Consumer<Row = any> {
	/**
	 * @param client of node-postgres, connected, for this consumer alone
	 * @param name of the consumer; each consumer reads one table and has its own cursors
	 * @param table may have a schema: `'shop.events'`
	 * @param callback is called with a row, and awaited
	 */
	constructor(client: {
		query(text: string, values?: any[]): Promise<{ rows: any[] }>;
		escapeIdentifier(name: string): string;
		on(event: any, listener: (...args: any[]) => void): any;
		off(event: any, listener: (...args: any[]) => void): any;
	}, name: string, table: string, callback: (row: Row) => unknown, options?: ConsumerOptions);

	/**
	 * Handles rows until `stop()`, SIGINT or SIGTERM.  The row that is being handled is completed.
	 *
	 * Rejects with the error of the callback, or of node-postgres.  The rows of the open transaction are then handled
	 * again: end the program, and let its supervisor start it again.
	 */
	run(): Promise<void>;

	/** Lets `run()` return after the row that is being handled. */
	stop(): void;
}
