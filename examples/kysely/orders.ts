// gid with Kysely on node-postgres: typed tables, ids by default and from the program,
// lists and arrays of ids, joins, times, and an endpoint.
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';
import { Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

function shows(what: string, holds: boolean): void {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

interface Tables {
	customers: { id: Generated<Gid<'c'>>; name: string; favourites: Gid<'o'>[] | null };
	orders: { id: Generated<Gid<'o'>>; customer: Gid<'c'>; item: string };
}

const setUp = new pg.Client();
await setUp.connect();
await setUp.query('CREATE EXTENSION gid');
await setUp.end();

// The types of node-postgres: an id is a Gid, alone and in arrays.  The config is empty
// here, because libpq's variables say where the server is.
const config = {};
const pool = new pg.Pool({ ...config, types: await gidTypes(pg, config) });
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

await db.schema.createTable('customers')
	.addColumn('id', sql`gid(c)`, column => column.primaryKey().defaultTo(sql`gid_new('c')`))
	.addColumn('name', 'text', column => column.notNull())
	.addColumn('favourites', sql`gid(o)[]`)
	.execute();
await db.schema.createTable('orders')
	.addColumn('id', sql`gid(o)`, column => column.primaryKey().defaultTo(sql`gid_new('o')`))
	.addColumn('customer', sql`gid(c)`, column => column.notNull().references('customers.id'))
	.addColumn('item', 'text', column => column.notNull())
	.execute();

const ada = await db.insertInto('customers').values({ name: 'Ada' }).returningAll().executeTakeFirstOrThrow();
shows('an id by default, and returned', ada.id instanceof Gid && ada.id.kind === 'c');
const [tea, milk] = await db.insertInto('orders')
	.values(['tea', 'milk'].map(item => ({ customer: ada.id, item }))).returningAll().execute();
shows('many rows at once, and their ids increase', tea.id < milk.id);
const butter = { id: Gid.new('o'), customer: ada.id, item: 'butter' };
await db.insertInto('orders').values(butter).execute();
const found = await db.selectFrom('orders').selectAll().where('id', '=', butter.id).executeTakeFirstOrThrow();
shows('an id made by the program', found.item === 'butter' && found.customer.equals(ada.id));
const some = await db.selectFrom('orders').select('item').where('id', 'in', [tea.id, butter.id]).orderBy('id').execute();
shows('a list of ids', some.map(order => order.item).join() === 'tea,butter');
const updated = await db.updateTable('customers').set({ favourites: [milk.id, tea.id] })
	.where('id', '=', ada.id).returning('favourites').executeTakeFirstOrThrow();
shows('an array of ids', updated.favourites?.join() === [milk.id, tea.id].join() && updated.favourites[0] instanceof Gid);
const joined = await db.selectFrom('orders').innerJoin('customers', 'customers.id', 'orders.customer')
	.select('orders.id').where('name', '=', 'Ada').execute();
shows('a join', joined.length === 3);

// Compared with an id, a parameter without a type is read as an id.
const hourAgo = new Date(Date.now() - 3_600_000);
// @ts-expect-error
const uncast = await db.selectFrom('orders').select('id').where('id', '>=', hourAgo).execute().catch(error => error);
shows('a time without its type is rejected, by TypeScript too', uncast.code === '22P02');
const time = (date: Date) => sql<Gid<'o'>>`${date}::timestamptz`;
const recent = await db.selectFrom('orders').select(['id', sql<Date>`gid_timestamp(id)`.as('at')])
	.where('id', '>=', time(hourAgo)).where('id', '<', time(new Date(Date.now() + 60_000))).execute();
shows('a range of time', recent.length === 3);
shows('the time of an id', recent.every(order => +order.at === +order.id.time));
const range = await db.selectFrom('orders').select('id')
	.where('id', '>=', Gid.lowerBound('o', hourAgo)).where('id', '<', Gid.upperBound('o', new Date())).execute();
shows('a range of ids works, too', range.length === 3);

// TypeScript rejects an id of another kind, and so does the server.
// @ts-expect-error
const refused = await db.insertInto('orders').values({ customer: tea.id, item: 'an order is no customer' })
	.execute().catch(error => error);
shows(`a wrong kind is rejected: ${refused.message}`, refused.code === '22023');
const columns = await db.selectFrom('orders').innerJoin('customers', 'customers.id', 'orders.id').select('name')
	.execute().catch(error => error);
shows(`a join of columns of two kinds, by the server only: ${columns.message}`, columns.code === '42804');
function refusedByTypeScript() {
	// @ts-expect-error
	db.insertInto('orders').values({ id: ada.id, customer: ada.id, item: 'a customer is no order' });
	// @ts-expect-error
	db.insertInto('orders').values({ customer: new Gid(ada.id.text), item: 'of any kind' });
	// @ts-expect-error
	db.updateTable('customers').set({ favourites: [ada.id] });
	// @ts-expect-error
	db.selectFrom('orders').where('customer', '=', tea.id);
	// @ts-expect-error
	db.selectFrom('orders').where('id', 'in', [ada.id]);
	// @ts-expect-error
	tea.id === tea.customer;
}

// An endpoint: GET /orders/ID.
const server = createServer(async (request, response) => {
	const text = request.url!.slice('/orders/'.length);
	if (!Gid.isValid(text, 'o')) return response.writeHead(422).end();
	const id: Gid<'o'> = Gid.parse(text, 'o');
	const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
	response.writeHead(order ? 200 : 404).end(JSON.stringify(order));
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const get = (id: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/${id}`);
const answer = await get(tea.id.text);
const order = await answer.json() as { id: string; item: string };
shows('an endpoint returns an order', answer.status === 200 && order.id === tea.id.text && order.item === 'tea');
shows('an endpoint answers another kind with 422', (await get(ada.id.text)).status === 422);
shows('an endpoint answers an unknown order with 404', (await get(Gid.new('o').text)).status === 404);
server.close();
await db.destroy();
