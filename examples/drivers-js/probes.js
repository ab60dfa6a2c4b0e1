// node-postgres, postgres.js and Drizzle: what a program does with ids of uuid works with ids of gid, written without the
// page. A time is compared with the id in place of a column created_at. The variables of libpq name the server.
import { readFileSync } from 'node:fs';
import { and, between, count, desc, eq, gt, gte, inArray, lt, lte, max, sql as raw } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { gid, gidKey } from 'pg-gid/drizzle';
import { gidTypes } from 'pg-gid/pg';
import postgres from 'postgres';

const page = readFileSync('../../doc/clients/javascript.md', 'utf8').replace(/\s+/g, ' ');
const admin = new pg.Pool();
const { PGHOST, PGPORT } = process.env;
const socket = PGHOST.startsWith('/') ? { path: `${PGHOST}/.s.PGSQL.${PGPORT}` } : {};
const hourAgo = new Date(Date.now() - 3_600_000), soon = new Date(Date.now() + 3_600_000);

// What fails with gid: a part of the error, and the sentence of the page.
const TIME = 'invalid input syntax for type gid';
const documented = {
	'Drizzle: a Date in sql': [TIME, 'In TypeScript, and in your own SQL, write timestamptz(date).'],
	'Drizzle: gte of a time as text': [TIME, 'A time in a string is a // RangeError.'],
	'Drizzle: an id of another table': ['kind "l"', 'an id of another kind is a `RangeError` before the query is sent'],
	'node-postgres: a Date': [TIME, 'A Date requires a cast.'],
	'node-postgres: a time as text': [TIME, 'A Date requires a cast.'],
	'postgres.js: a time as text': [TIME, 'A time in a string requires the cast'],
};

async function probes(isGid) {
	const [type, anew] = isGid ? ['gid', `gid_new('o')`] : ['uuid', 'gen_random_uuid()'];
	await admin.query(`DROP TABLE IF EXISTS lines, orders; DROP TYPE IF EXISTS pair;
		CREATE TABLE orders (id ${isGid ? 'gid(o)' : type} PRIMARY KEY DEFAULT ${anew}, item text${isGid ? '' : ', created_at timestamptz DEFAULT now()'});
		CREATE TABLE lines (id ${isGid ? 'gid(l)' : type} PRIMARY KEY DEFAULT ${anew.replace('o\'', 'l\'')}, "order" ${isGid ? 'gid(o)' : type} REFERENCES orders);
		CREATE TYPE pair AS (id ${type}, item text)`);
	const pool = new pg.Pool(isGid ? { types: await gidTypes(pg) } : {});
	const one = async (query, ...values) => Object.values((await pool.query(query, values)).rows[0])[0];
	const sql = postgres(socket), db = drizzle({ client: pool });
	const orders = pgTable('orders', { id: isGid ? gidKey('o') : uuid().primaryKey().defaultRandom(), item: text(),
		...isGid ? {} : { at: timestamp('created_at', { withTimezone: true }) } });
	const lines = pgTable('lines', { id: isGid ? gidKey('l') : uuid().primaryKey().defaultRandom(), order: isGid ? gid({ kind: 'o' }) : uuid() });
	const at = orders.at ?? orders.id, column = at.name;
	const ids = (await db.insert(orders).values(['tea', 'milk', 'salt'].map(item => ({ item }))).returning({ id: orders.id })).map(({ id }) => id).sort();
	const [a, b] = ids;
	const line = (await db.insert(lines).values({ order: a }).returning())[0].id;
	const first = async query => Object.values((await query)[0])[0];
	const rows = async condition => (await db.select({ id: orders.id }).from(orders).where(condition)).length;
	const is = (value, expected) => JSON.stringify(value) === JSON.stringify(expected);
	const fails = call => call().then(() => false, error => (error.cause ?? error).code?.startsWith('22') || error instanceof RangeError);

	const calls = {
		'Drizzle: eq': async () => is(await db.select().from(orders).where(eq(orders.id, a)).then(found => found[0].id), a),
		'Drizzle: a page before an id': async () => (await db.select().from(orders).where(lt(orders.id, ids[2])).orderBy(desc(orders.id)).limit(1))[0].id === b,
		'Drizzle: inArray': async () => await rows(inArray(orders.id, [a, b])) === 2,
		'Drizzle: = any of a list': async () => await first(db.select({ n: count() }).from(orders).where(raw`${orders.id} = any(${raw.param([a, b])})`)) === 2,
		'Drizzle: an id in sql': async () => await rows(raw`id = ${a}`) === 1,
		'Drizzle: coalesce in sql': async () => await rows(raw`id = coalesce(${a}, id)`) === 1,
		'Drizzle: a list in sql': async () => await rows(raw`id in ${[a, b]}`) === 2,
		'Drizzle: max': async () => await first(db.select({ max: max(orders.id) }).from(orders)) === ids[2],
		'Drizzle: onConflictDoUpdate': async () => (await db.insert(orders).values({ id: a, item: 'tea' })
			.onConflictDoUpdate({ target: orders.id, set: { item: 'green tea' } }).returning())[0].id === a,
		'Drizzle: execute': async () => (await db.execute(raw`SELECT id FROM orders WHERE id = ${a}`)).rows[0].id === a,
		'Drizzle: rows of two tables by a Map': async () => {
			await db.insert(lines).values([a, a, b].map(order => ({ order })));
			const items = new Map((await db.select().from(orders)).map(({ id, item }) => [id, item]));
			return (await db.select().from(lines)).every(({ order }) => items.has(order)) && new Set((await db.select().from(lines)).map(({ order }) => order)).size === 2;
		},
		'Drizzle: a join': async () => (await db.select().from(lines).innerJoin(orders, eq(lines.order, orders.id)).where(eq(orders.id, a)))[0].orders.id === a,
		'Drizzle: two conditions': async () => await rows(and(gt(orders.id, a), lte(orders.id, b))) === 1,
		'Drizzle: gte of a Date': async () => await rows(gte(at, hourAgo)) === 3,
		'Drizzle: gte of a time as text': async () => await rows(gte(at, hourAgo.toISOString())) === 3,
		'Drizzle: between of Dates': async () => await rows(between(at, hourAgo, soon)) === 3,
		'Drizzle: a Date in sql': async () => await rows(raw`${at} >= ${hourAgo}`) === 3,
		'Drizzle: a time in sql with a cast': async () => await rows(raw`${at} >= ${hourAgo.toISOString()}::timestamptz`) === 3,
		'Drizzle: an id of another table': async () => await rows(eq(orders.id, line)) === 0,
		'Drizzle: garbage': () => fails(() => rows(eq(orders.id, 'tea'))),
		'node-postgres: $1': async () => await one('SELECT id FROM orders WHERE id = $1', a) === a,
		'node-postgres: = any ($1)': async () => await one('SELECT count(*)::int FROM orders WHERE id = ANY ($1)', [a, b]) === 2,
		'node-postgres: unnest': async () => await one(`SELECT count(*)::int FROM unnest($1::${type}[])`, [a, b]) === 2,
		'node-postgres: coalesce': async () => await one('SELECT count(*)::int FROM orders WHERE id = coalesce($1, id)', a) === 1,
		'node-postgres: an optional filter': async () => await one(`SELECT count(*)::int FROM orders WHERE $1::${type} IS NULL OR id < $1`, b) === 1,
		'node-postgres: json_agg': async () => is((await one('SELECT json_agg(id) FROM orders')).sort(), ids),
		'node-postgres: array_agg': async () => is((await one('SELECT array_agg(id) FROM orders')).sort(), ids),
		'node-postgres: a composite type': async () => await one('SELECT row(id, item)::pair FROM orders WHERE id = $1', b) === `(${b},milk)`,
		'node-postgres: insert json': async () => await one(`SELECT ($1::jsonb)->>'id'`, { id: a }) === a,
		'node-postgres: ===, in an object, in JSON': async () => {
			const id = await one('SELECT id FROM orders WHERE id = $1', a);
			return id === a && { [a]: 1 }[id] === 1 && [a, b].includes(id) && JSON.stringify({ id }) === `{"id":"${a}"}`;
		},
		'node-postgres: a named statement': async () => (await pool.query({ name: type, text: 'SELECT id FROM orders WHERE id = $1', values: [a] })).rows[0].id === a,
		'node-postgres: a Date': async () => await one(`SELECT count(*)::int FROM orders WHERE ${column} >= $1`, hourAgo) === 3,
		'node-postgres: a time as text': async () => await one(`SELECT count(*)::int FROM orders WHERE ${column} >= $1`, hourAgo.toISOString()) === 3,
		'node-postgres: a Date with a cast': async () => await one(`SELECT count(*)::int FROM orders WHERE ${column} >= $1::timestamptz`, hourAgo) === 3,
		'node-postgres: an optional time': async () => await one(`SELECT count(*)::int FROM orders WHERE $1::timestamptz IS NULL OR ${column} >= $1`, hourAgo) === 3,
		'node-postgres: an id of another table': async () => (await pool.query('SELECT FROM orders WHERE id = $1', [line])).rows.length === 0,
		'node-postgres: garbage': () => fails(() => one('SELECT FROM orders WHERE id = $1', 'tea')),
		'postgres.js: an id': async () => await first(sql`SELECT id FROM orders WHERE id = ${a}`) === a,
		'postgres.js: in': async () => (await sql`SELECT FROM orders WHERE id IN ${sql([a, b])}`).length === 2,
		'postgres.js: any': async () => (await sql`SELECT FROM orders WHERE id = ANY (${[a, b]})`).length === 2,
		'postgres.js: coalesce': async () => (await sql`SELECT FROM orders WHERE id = coalesce(${a}, id)`).length === 1,
		'postgres.js: array_agg': async () => is((await first(sql`SELECT array_agg(id) FROM orders`)).sort(), ids),
		'postgres.js: the insert helper': async () => (await sql`INSERT INTO lines ${sql([{ order: a }, { order: b }])} RETURNING "order"`)[1].order === b,
		'postgres.js: the update helper': async () => (await sql`UPDATE lines SET ${sql({ order: b })} WHERE "order" = ${a}`).count > 0,
		'postgres.js: values': async () => (await sql`SELECT o.id FROM orders o JOIN (VALUES ${sql([[a], [b]])}) v (id) ON o.id = v.id`).length === 2,
		'postgres.js: values with a cast': async () => (await sql`
			SELECT o.id FROM orders o JOIN (VALUES ${sql([[a], [b]])}) v (id) ON o.id = v.id::${sql.unsafe(type)}`).length === 2,
		'postgres.js: a Date': async () => (await sql`SELECT FROM orders WHERE ${sql(column)} >= ${hourAgo}`).length === 3,
		'postgres.js: a time as text': async () => (await sql`SELECT FROM orders WHERE ${sql(column)} >= ${hourAgo.toISOString()}`).length === 3,
		'postgres.js: garbage': () => fails(() => sql`SELECT FROM orders WHERE id = ${'tea'}`),
	};
	const found = {};
	for (const [name, call] of Object.entries(calls))
		found[name] = await call().then(holds => holds ? '' : 'a wrong result', error => `${error.cause?.message ?? error.message}`);
	await sql.end();
	await pool.end();
	return found;
}

const ofUuid = await probes(false);
for (const [name, reason] of Object.entries(await probes(true))) {
	const [part, sentence] = documented[name] ?? [];
	const both = reason !== '' && ofUuid[name] !== '';
	const holds = part ? reason.includes(part) && page.includes(sentence) : reason === '' || both;
	const note = part && holds ? `fails as the page says: ${sentence}` : both ? `fails with uuid, too: ${ofUuid[name]}` : reason;
	console.log(`${holds ? 'ok' : 'not ok'} - ${name}${note && ` # ${note}`}`);
}
await admin.end();
