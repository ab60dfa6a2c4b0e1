// Delivers events, at least once and in order, beside other pollers.
//
//	node poller.js CONSUMER
//
// Killed anywhere, it has lost nothing: the next one goes on from the cursor.
// On any error it ends, and whoever watches over it starts it again.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

// The shard that is furthest behind, of those that have something to deliver
// and that nobody else delivers.
const TAKE = `
	SELECT shard, position FROM cursors
	WHERE consumer = $1 AND EXISTS (
		SELECT FROM events
		WHERE events.shard = cursors.shard AND id > position AND id < gid_settled('e'))
	ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED`;
const READ = `
	SELECT id, account, amount, balance FROM events
	WHERE shard = $1 AND id > $2 AND id < gid_settled('e') ORDER BY id LIMIT 100`;
const MOVE = `UPDATE cursors SET position = $1 WHERE consumer = $2 AND shard = $3`;

// Stands for what is done with an event: a message that is sent, and has
// arrived when this returns.
async function deliver(...event) {
	await sleep(5);
	writeSync(1, [process.pid, ...event].join('\t') + '\n');
}

// Delivers what one shard has, up to 100 events.  False if there is nothing
// to do.
async function deliverSome() {
	await client.query('BEGIN');
	const { rows: [cursor] } = await client.query(TAKE, [consumer]);
	let events = [];
	if (cursor) {
		({ rows: events } = await client.query(READ, [cursor.shard, cursor.position]));
		for (const { id, account, amount, balance } of events)
			await deliver(cursor.shard, id, account, amount, balance);
		if (events.length > 0) await client.query(MOVE, [events.at(-1).id, consumer, cursor.shard]);
	}
	await client.query('COMMIT');
	return events.length > 0;
}

const consumer = process.argv[2];
const client = new pg.Client();
let notified = false;
let wake = () => {};
client.on('notification', () => { notified = true; wake(); });
await client.connect();
await client.query('LISTEN events');
for (;;) {
	notified = false;
	while (await deliverSome());
	// A transaction that held the horizon may have been rolled back, or another
	// poller killed, of which nobody notifies.  So it looks each second, too.
	if (!notified) {
		await new Promise(resolve => {
			wake = resolve;
			setTimeout(resolve, 1000);
		});
	}
}
