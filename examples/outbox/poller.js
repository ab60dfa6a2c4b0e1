// Delivers events, at least once and in order, next to other pollers.
//
//	node poller.js CONSUMER
//
// Killed anywhere, it has lost nothing: the next one goes on from the cursor.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Consumer } from 'pg-gid/consumer';

// Stands for what is done with an event: a message that is sent, and has
// arrived when this returns.
async function deliver(event) {
	await sleep(5);
	writeSync(1, [process.pid, ...Object.values(event)].join('\t') + '\n');
}

const client = new pg.Client();
await client.connect();
await new Consumer(client, process.argv[2], 'events', deliver, {
	shard: 'shard', shards: [0, 1, 2, 3], channel: 'events',
}).run();
await client.end();
