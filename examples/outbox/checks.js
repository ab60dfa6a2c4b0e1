// What a consumer promises, and what it rejects, each by itself.
import pg from 'pg';
import { Consumer } from 'pg-gid/consumer';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

const is = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const error = promise => promise.then(() => undefined, error => error);

async function connect() {
	const client = new pg.Client();
	await client.connect();
	return client;
}

const db = await connect();
const ids = ({ rows }) => rows.map(({ id }) => id);
const write = async count => ids(await db.query('INSERT INTO jobs.queue (what) SELECT n FROM generate_series(1, $1) n RETURNING id', [count]));

// The ids of rows that a consumer handles until it has handled so many.
async function consume(name, count, handle = () => {}, options = {}) {
	const handled = [], client = await connect();
	const consumer = new Consumer(client, name, 'jobs.queue', async row => {
		handled.push(row.id);
		await handle(row, client);
		if (handled.length === count) consumer.stop();
	}, { cursors: 'jobs.Cursors', interval: 100, ...options });
	try {
		await consumer.run();
	} finally {
		await client.end();
	}
	return handled;
}

await db.query('TRUNCATE jobs.queue, jobs.done, jobs."Cursors", jobs.parts, jobs.part_cursors');
const first = await write(250);
shows('a new consumer begins before the first row', is(await consume('all', 120), first.slice(0, 120)));
shows('a consumer continues where it stopped', is(await consume('all', 130), first.slice(120)));
const second = await write(3);
shows('a new consumer can begin after an id', is(await consume('later', 3, undefined, { after: first.at(-1) }), second));

const fail = ({ what }) => { if (what === 30) throw new Error('30'); };
shows("an error of the callback is the caller's", (await error(consume('failing', 250, fail))).message === '30');
shows('after an error the rows are handled again', is(await consume('failing', 50), first.slice(0, 50)));
const once = async (row, client) => {
	await client.query('INSERT INTO jobs.done VALUES ($1)', [row.what]);
	fail(row);
};
shows('what the callback executes', (await error(consume('once', 250, once))).message === '30');
shows('is undone with the transaction', (await db.query('SELECT FROM jobs.done')).rowCount === 0);

const start = async (name, handle, options, table = 'jobs.queue') => {
	const client = await connect();
	const consumer = new Consumer(client, name, table, handle, { cursors: 'jobs.Cursors', interval: 3600_000, ...options });
	return { client, consumer, ended: error(consumer.run()) };
};
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
// Whether a promise is kept at last.  The limit is for errors.
const soon = promise => Promise.race([promise.then(() => true), new Promise(resolve => setTimeout(resolve, 600_000, false).unref())]);
// Waits until a consumer has completed a transaction, and does nothing.
async function idle({ processID }) {
	const query = "SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'idle' AND query = 'COMMIT'";
	for (let n = 0; n < 60_000 && (await db.query(query, [processID])).rowCount === 0; n++) await sleep(10);
}

let running = await start('all', () => {});
await idle(running.client);
process.kill(process.pid, 'SIGTERM');
shows('SIGTERM ends one that waits', await soon(running.ended) && await running.ended === undefined);
shows('a consumer removes its listeners', process.listenerCount('SIGTERM') === 0 && running.client.listenerCount('notification') === 0);
await running.client.end();

const woken = [];
let both;
const all = new Promise(resolve => { both = resolve; });
running = await start('all', ({ id }) => { if (woken.push(id) === 2) both(); }, { channel: 'Jobs' });
await idle(running.client);
await db.query('BEGIN');
const third = await write(2);
await db.query('NOTIFY "Jobs"');
await db.query('COMMIT');
shows('NOTIFY wakes it', await soon(all) && is(woken, third));
await db.query('SELECT pg_terminate_backend($1)', [running.client.processID]);
shows('a connection that is lost is an error', await soon(running.ended) && await running.ended instanceof Error);

// The parts of the rows that workers of one consumer handle, until they have handled so many.
async function together(workers, count, shards = [0, 1], pause = async () => {}) {
	const handled = [];
	let enough;
	const all = new Promise(resolve => { enough = resolve; });
	const handle = async ({ part }) => { if (handled.push(part) === count) enough(); await pause(); };
	const options = { interval: 20, shard: 'part', shards, cursors: 'jobs.part_cursors' };
	const started = await Promise.all(Array.from({ length: workers }, () => start('together', handle, options, 'jobs.parts')));
	await soon(all);
	for (const { consumer } of started) consumer.stop();
	for (const { client, ended } of started) await ended.then(() => client.end());
	return handled;
}

const inPart = part => db.query('INSERT INTO jobs.parts (part) VALUES ($1)', [part]);
// The worker looks first at the shard whose cursor is furthest behind.
await inPart(1);
shows('a new shard has a cursor', is(await together(1, 1), [1]));
await inPart(1);
const late = await connect();
await late.query('BEGIN; INSERT INTO jobs.parts (part) VALUES (1)');
await inPart(0);
shows('a shard without rows below the horizon does not delay another', is(await together(1, 1), [1]));
await late.query('COMMIT');
await late.end();
let inside = 0, most = 0;
await together(2, 2, [0, 1], async () => {
	most = Math.max(most, ++inside);
	for (let n = 0; n < 60_000 && most < 2; n++) await sleep(10);
	inside--;
});
shows('a busy worker does not delay another shard', most === 2);
await inPart(0);
await inPart(1);
shows('a worker takes only its shards', (await together(1, 1, [1])).every(part => part === 1));

const client = await connect();
for (const [table, reason] of [
	['jobs.mixed', 'jobs.mixed.id is not a column of type gid(kind)'],
	['jobs.done', 'jobs.done.id is not a column of type gid(kind)'],
	['events', 'the cursor of consumer "all" is not of the kind of events.id: give the consumers of different tables different names'],
]) {
	const refused = await error(new Consumer(client, 'all', table, () => {}, { cursors: 'jobs.Cursors' }).run());
	shows(`refused: ${reason}`, refused instanceof RangeError && refused.message === reason);
}
await client.end();
await db.end();
