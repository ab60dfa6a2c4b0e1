// A worker with one cursor: it prints each event, at least once and in order.
import pg from 'pg';
import { Consumer } from 'pg-gid/consumer';

function handle({ id, account, amount, balance }) {
	console.log(id, account, amount, balance);
}

const client = new pg.Client();
await client.connect();
await new Consumer(client, 'printer in node', 'events', handle).run();
await client.end();
