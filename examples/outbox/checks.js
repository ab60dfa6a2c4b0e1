// What a consumer promises, and what it rejects, each by itself.
import pg from 'pg';
import { Gid } from 'pg-gid';
import { Consumer } from 'pg-gid/consumer';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

const is = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const error = promise => promise.then(() => undefined, error => error);

async function connect(name) {
	const client = new pg.Client({ application_name: name });
	await client.connect();
	return client;
}

const db = await connect();
const ids = ({ rows }) => rows.map(({ id }) => id);
const write = async count => ids(await db.query('INSERT INTO jobs.queue (what) SELECT n FROM generate_series(1, $1) n RETURNING id', [count]));

// The ids, or the parts, of rows that a consumer handles until it has handled so many.
async function consume(name, count, { handle = () => {}, table = 'jobs.queue', ...options } = {}) {
	const handled = [], client = await connect(name);
	const consumer = new Consumer(client, name, table, async row => {
		handled.push(row.part ?? row.id);
		await handle(row, client);
		if (handled.length === count) consumer.stop();
	}, { cursors: 'jobs.Cursors', interval: 100, ...options });
	setTimeout(() => consumer.stop(), 600_000).unref(); // for errors
	try {
		await consumer.run();
	} finally {
		await client.end();
	}
	if (client.listenerCount('notification') > 0) throw new Error('a listener is left');
	return handled;
}

// Waits until a consumer has completed a transaction, and does nothing.  The limit is for errors.
async function idle(name) {
	const query = "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND state = 'idle' AND query = 'COMMIT'";
	for (let n = 0; n < 60_000; n++) {
		const { rows } = await db.query(query, [name]);
		if (rows.length > 0) return rows[0].pid;
		await new Promise(resolve => setTimeout(resolve, 10));
	}
}

await db.query('TRUNCATE jobs.queue, jobs.done, jobs."Cursors", jobs.parts');
const first = await write(250);
shows('a consumer continues where it stopped', is([...await consume('all', 120), ...await consume('all', 130)], first));
const second = await write(3);
shows('a new consumer can begin after an id', is(await consume('later', 3, { after: first.at(-1) }), second));

const fail = async ({ what }, client) => {
	await client.query('INSERT INTO jobs.done VALUES ($1)', [what]);
	if (what === 30) throw new Error('30');
};
shows("an error of the callback is the caller's", (await error(consume('failing', 250, { handle: fail }))).message === '30');
shows('what the callback executed is undone', (await db.query('SELECT FROM jobs.done')).rowCount === 0);
shows('and the rows are handled again', is(await consume('failing', 50), first.slice(0, 50)));

const waits = { after: second.at(-1), interval: 3600_000 };
const terminated = consume('terminated', 1, waits);
await idle('terminated');
process.kill(process.pid, 'SIGTERM');
shows('SIGTERM ends one that waits', is(await terminated, []));
shows('a consumer removes its listeners', process.listenerCount('SIGTERM') === 0);
const woken = consume('woken', 2, { channel: 'Jobs', ...waits });
await idle('woken');
const third = await write(2);
await db.query('NOTIFY "Jobs"');
shows('NOTIFY wakes it', is(await woken, third));
const lost = error(consume('lost', 3, { after: third.at(-1), interval: 3600_000 }));
await db.query('SELECT pg_terminate_backend($1)', [await idle('lost')]);
shows('a connection that is lost is an error', await lost instanceof Error);

const inBoth = 'INSERT INTO jobs.parts (part) VALUES (0), (1)';
const parts = { table: 'jobs.parts', shard: 'part', shards: [0, 1] };
// The worker looks first at the shard whose cursor is furthest behind.
await db.query('INSERT INTO jobs.parts (part) VALUES (1)');
const late = await connect();
await late.query(`BEGIN; ${inBoth}`);
await db.query('INSERT INTO jobs.parts (part) VALUES (0)');
shows('a shard without rows below the horizon does not delay another', is(await consume('parts', 1, parts), [1]));
await late.query('COMMIT');
await late.end();
shows('nor are they lost', is((await consume('parts', 3, parts)).sort(), [0, 0, 1]));
await db.query(inBoth);
let inside = 0, meet;
const both = new Promise((resolve, reject) => {
	meet = resolve;
	setTimeout(reject, 600_000, new Error('the workers do not meet')).unref();
});
const handle = () => ++inside === 2 ? meet() : both;
const two = await Promise.all([1, 2].map(() => consume('parts', 1, { handle, ...parts })));
shows('a busy worker does not delay another shard', is(two.flat().sort(), [0, 1]));
await db.query(inBoth);
shows('a worker takes only its shards', is(await consume('parts', 1, { ...parts, shards: [1] }), [1]));

process.env.PGOPTIONS = '-c search_path=decoys,pg_catalog,public';
for (const options of [{}, parts]) {
	const failed = await error(consume('among decoys in node', 1, options));
	shows(`calls no function or operator of another role: ${failed}`, failed === undefined);
}
delete process.env.PGOPTIONS;

const through = 'the worker would miss rows that arrive through';
const covered = 'give covered: true if all writers call gid_new';
await db.query("ALTER TABLE jobs.parted_0 ALTER id SET DEFAULT gid_random('m')");
for (const [table, reason] of [
	['jobs.mixed', 'jobs.mixed.id is not a column of type gid(kind)'],
	['jobs.done', 'jobs.done.id is not a column of type gid(kind)'],
	['jobs.plain', 'jobs.plain.id is of type uuid: give the kind'],
	['jobs.random', `${through} jobs.random: the default is gid_random('r'::text): ` +
		`execute ALTER TABLE jobs.random ALTER id SET DEFAULT gid_new('r'), or ${covered}`],
	['jobs.seen', `${through} jobs.seen: not a table: poll the tables that it reads`],
	['jobs.clients', `${through} jobs.clients: the column has no default: ` +
		`execute ALTER TABLE jobs.clients ALTER id SET DEFAULT gid_new('w'), or ${covered}`],
	['jobs.parted', `${through} jobs.parted_0: the default is gid_random('m'::text): ` +
		`execute ALTER TABLE jobs.parted_0 ALTER id SET DEFAULT gid_new('m'), or ${covered}`],
	['events', 'the cursor of consumer "all" is not of the kind of events.id: give the consumers of different tables different names'],
]) {
	const refused = await error(consume('all', 1, { table }));
	shows(`refused: ${reason}`, refused instanceof RangeError && refused.message === reason);
}
shows('refused: after of another kind', (await error(consume('new in node', 1, { after: Gid.lowerBound('z', 0n) })))
	.message === 'after is not of the kind of jobs.queue.id');
await db.query("INSERT INTO jobs.clients VALUES (gid_new('w'))");
shows('covered: true: the writers mint', (await consume('clients in node', 1, { table: 'jobs.clients', covered: true })).length === 1);
await db.query('ALTER TABLE jobs.parted_0 ALTER id DROP DEFAULT; INSERT INTO jobs.parted DEFAULT VALUES');
shows('the default of a domain mints, and a partition has none', (await consume('parted in node', 1, { table: 'jobs.parted' })).length === 1);
await db.query("DROP TABLE jobs.changed; CREATE TABLE jobs.changed (id gid(x) DEFAULT gid_new('x'))");
const changed = error(consume('changed in node', 1, { table: 'jobs.changed' }));
await idle('changed in node');
await db.query("CREATE TABLE jobs.heir (id gid(x) DEFAULT gid_random('x')) INHERITS (jobs.changed)");
const now = performance.now;
performance.now = () => now.call(performance) + 60_000;
shows('a worker that runs ends when rows can be missed', (await changed).message.startsWith(`${through} jobs.heir: the default is`));
performance.now = now;
for (const wrong of [{ shard: 'part' }, { shards: [0] }, { shard: 'part', shards: [] }, { shard: 'part', shards: [-1] }])
	shows(`rejected: ${JSON.stringify(wrong)}`, await error((async () => new Consumer(db, 'all', 'jobs.parts', () => {}, wrong))()) instanceof RangeError);
await db.end();
