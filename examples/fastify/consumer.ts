// Prints each new order once.
import pg from 'pg';
import { Consumer } from 'pg-gid/consumer';

const client = new pg.Client();
await client.connect();
await new Consumer(client, 'printer', 'orders', order => console.log(order.id, order.customer)).run();
await client.end();
