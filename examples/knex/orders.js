// gid from Knex, on node-postgres: tables, ids by default and from the program,
// lists and arrays of ids, joins, and times.
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';
import knex from 'knex';
import pg from 'pg';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

// A column of gid(kind), and a primary key of it.
const gid = (table, name, kind) => table.specificType(name, `gid(${kind})`);
const gidKey = (table, kind) => gid(table, 'id', kind).primary().defaultTo(table.client.raw(`gid_new('${kind}')`));

// With nothing set up an id is a string.  The config is empty, because libpq's variables
// say where the server is.
const config = {};
const plain = knex({ client: 'pg', connection: config });
await plain.raw('CREATE EXTENSION gid');
await plain.schema.createTable('customers', table => {
	gidKey(table, 'c');
	table.text('name').notNullable();
	table.specificType('favourites', 'gid(o)[]');
});
await plain.schema.createTable('orders', table => {
	gidKey(table, 'o');
	gid(table, 'customer', 'c').notNullable().references('customers.id');
	table.text('item').notNullable();
});
const [ada] = await plain('customers').insert({ name: 'Ada' }).returning('*');
const [tea] = await plain('orders').insert({ customer: ada.id, item: 'tea' }).returning('*');
const found = await plain('orders').where({ id: tea.id }).first();
shows('a plain id is a string, there and back', typeof tea.id === 'string' && found.item === 'tea' && found.customer === ada.id);
const { format_type } = await plain.first(plain.raw(`
	format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = 'customer'`));
shows('a column has its kind', format_type === 'gid(c)');
await plain.destroy();

// Set up: the types of node-postgres, and an id is a Gid, alone and in arrays.
const db = knex({ client: 'pg', connection: { ...config, types: await gidTypes(pg, config) } });

const [milk, salt] = await db('orders').insert(['milk', 'salt'].map(item => ({ customer: ada.id, item }))).returning('*');
shows('many rows at once, and their ids increase', milk.id instanceof Gid && milk.id < salt.id && milk.customer.kind === 'c');
const butter = Gid.new('o');
await db('orders').insert({ id: butter, customer: ada.id, item: 'butter' });
shows('an id made by the program', (await db('orders').where('id', butter).first()).item === 'butter');
shows('a list of ids', (await db('orders').whereIn('id', [milk.id, butter]).orderBy('id')).map(order => order.item).join() === 'milk,butter');
const [updated] = await db('customers').where('id', ada.id).update({ favourites: [salt.id, milk.id] }).returning('*');
shows('an array of ids', updated.favourites.join() === [salt.id, milk.id].join() && updated.favourites[0] instanceof Gid);
const joined = await db('orders').join('customers', 'customers.id', 'orders.customer').where('customers.name', 'Ada').count().first();
shows('a join', joined.count === '4');
const favourite = await db('customers').whereRaw('? = ANY (favourites)', [milk.id]).first();
shows('searched in an array', favourite.name === 'Ada');
const [merged] = await db('orders').insert({ id: butter, customer: ada.id, item: 'ghee' }).onConflict('id').merge().returning('item');
shows('an upsert', merged.item === 'ghee');

// Compared with an id, a parameter is read as an id, unless it says that it is a time.
const hourAgo = new Date(Date.now() - 3_600_000);
const uncast = await db('orders').where('id', '>=', hourAgo).catch(error => error);
shows('a time without its type is rejected', uncast.code === '22P02');
const time = date => db.raw('?::timestamptz', [date]);
const recent = db('orders').where('id', '>=', time(hourAgo)).where('id', '<', time(new Date(Date.now() + 60_000)));
shows('a range of time', (await recent).length === 4);
const { rows: plan } = await db.raw(`EXPLAIN (COSTS OFF) ${recent}`);
shows('is a range of the index', plan.some(row => row['QUERY PLAN'].includes('Cond: ((id >= ')));
const range = await db('orders').where('id', '>=', Gid.lowerBound('o', hourAgo)).where('id', '<', Gid.upperBound('o', new Date()));
shows('a range of ids works, too', range.length === 4);
const { at } = await db('orders').where('id', milk.id).first(db.raw('id::timestamptz AS at'));
shows('the time of an id', +at === +milk.id.time);

const refused = await db('orders').insert({ customer: milk.id, item: 'an order is no customer' }).catch(error => error);
shows(`a wrong kind is rejected: ${refused.message.split(' - ')[1]}`, refused.code === '22023');
await db.destroy();
