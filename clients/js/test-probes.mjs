// What a program does with ids of uuid works with ids of gid: node-postgres, postgres.js and Drizzle, written without the
// page.  Runs in the folder of a program.  The variables of libpq name the server.
import { and, count, desc, eq, gt, inArray, lt, lte, max, sql as raw } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { gid, gidKey } from 'pg-gid/drizzle';
import { gidTypes } from 'pg-gid/pg';
import postgres from 'postgres';

const admin = new pg.Pool();
const { PGHOST, PGPORT } = process.env;
const socket = PGHOST.startsWith('/') ? { path: `${PGHOST}/.s.PGSQL.${PGPORT}` } : {};

async function probes(isGid) {
	const [type, anew] = isGid ? ['gid', `gid_new('o')`] : ['uuid', 'gen_random_uuid()'];
	await admin.query(`DROP TABLE IF EXISTS lines, orders;
		CREATE TABLE orders (id ${isGid ? 'gid(o)' : type} PRIMARY KEY DEFAULT ${anew}, item text);
		CREATE TABLE lines (id ${isGid ? 'gid(l)' : type} PRIMARY KEY DEFAULT ${anew.replace('o\'', 'l\'')}, "order" ${isGid ? 'gid(o)' : type} REFERENCES orders)`);
	const pool = new pg.Pool(isGid ? { types: await gidTypes(pg) } : {});
	const one = async (query, ...values) => Object.values((await pool.query(query, values)).rows[0])[0];
	const sql = postgres(socket), db = drizzle({ client: pool });
	const orders = pgTable('orders', { id: isGid ? gidKey('o') : uuid().primaryKey().defaultRandom(), item: text() });
	const lines = pgTable('lines', { id: isGid ? gidKey('l') : uuid().primaryKey().defaultRandom(), order: isGid ? gid({ kind: 'o' }) : uuid() });
	const ids = (await db.insert(orders).values(['tea', 'milk', 'salt'].map(item => ({ item }))).returning()).map(({ id }) => id).sort();
	const [a, b] = ids;
	const first = async query => Object.values((await query)[0])[0];
	const is = (value, expected) => JSON.stringify(value) === JSON.stringify(expected);

	const calls = {
		'Drizzle: eq': async () => is(await db.select().from(orders).where(eq(orders.id, a)).then(rows => rows[0].id), a),
		'Drizzle: a page before an id': async () => (await db.select().from(orders).where(lt(orders.id, ids[2])).orderBy(desc(orders.id)).limit(1))[0].id === b,
		'Drizzle: inArray': async () => (await db.select().from(orders).where(inArray(orders.id, [a, b]))).length === 2,
		'Drizzle: = any of a list': async () => await first(db.select({ n: count() }).from(orders).where(raw`${orders.id} = any(${raw.param([a, b])})`)) === 2,
		'Drizzle: an id in sql': async () => (await db.select().from(orders).where(raw`id = ${a}`)).length === 1,
		'Drizzle: coalesce in sql': async () => (await db.select().from(orders).where(raw`id = coalesce(${a}, id)`)).length === 1,
		'Drizzle: a list in sql': async () => (await db.select().from(orders).where(raw`id in ${[a, b]}`)).length === 2,
		'Drizzle: max': async () => await first(db.select({ max: max(orders.id) }).from(orders)) === ids[2],
		'Drizzle: onConflictDoUpdate': async () => (await db.insert(orders).values({ id: a, item: 'tea' })
			.onConflictDoUpdate({ target: orders.id, set: { item: 'green tea' } }).returning())[0].id === a,
		'Drizzle: execute': async () => (await db.execute(raw`SELECT id FROM orders WHERE id = ${a}`)).rows[0].id === a,
		'Drizzle: rows of two tables by a Map': async () => {
			await db.insert(lines).values([a, a, b].map(order => ({ order })));
			const items = new Map((await db.select().from(orders)).map(({ id, item }) => [id, item]));
			return (await db.select().from(lines)).every(({ order }) => items.has(order)) && new Set((await db.select().from(lines)).map(({ order }) => order)).size === 2;
		},
		'Drizzle: two conditions': async () => (await db.select().from(orders).where(and(gt(orders.id, a), lte(orders.id, b)))).length === 1,
		'node-postgres: $1': async () => await one('SELECT id FROM orders WHERE id = $1', a) === a,
		'node-postgres: = any ($1)': async () => await one('SELECT count(*)::int FROM orders WHERE id = ANY ($1)', [a, b]) === 2,
		'node-postgres: unnest': async () => await one(`SELECT count(*)::int FROM unnest($1::${type}[])`, [a, b]) === 2,
		'node-postgres: coalesce': async () => await one('SELECT count(*)::int FROM orders WHERE id = coalesce($1, id)', a) === 1,
		'node-postgres: an optional filter': async () => await one(`SELECT count(*)::int FROM orders WHERE $1::${type} IS NULL OR id < $1`, b) === 1,
		'node-postgres: json_agg': async () => is((await one('SELECT json_agg(id) FROM orders')).sort(), ids),
		'node-postgres: array_agg': async () => !isGid || is((await one('SELECT array_agg(id) FROM orders')).sort(), ids),
		'node-postgres: insert json': async () => await one(`SELECT ($1::jsonb)->>'id'`, { id: a }) === a,
		'node-postgres: ===, in an object, in JSON': async () => {
			const id = await one('SELECT id FROM orders WHERE id = $1', a);
			return id === a && { [a]: 1 }[id] === 1 && [a, b].includes(id) && JSON.stringify({ id }) === `{"id":"${a}"}`;
		},
		'postgres.js: an id': async () => await first(sql`SELECT id FROM orders WHERE id = ${a}`) === a,
		'postgres.js: in': async () => (await sql`SELECT FROM orders WHERE id IN ${sql([a, b])}`).length === 2,
		'postgres.js: any': async () => (await sql`SELECT FROM orders WHERE id = ANY (${[a, b]})`).length === 2,
		'postgres.js: coalesce': async () => (await sql`SELECT FROM orders WHERE id = coalesce(${a}, id)`).length === 1,
		'postgres.js: array_agg': async () => is((await first(sql`SELECT array_agg(id) FROM orders`)).sort(), ids),
		'postgres.js: the insert helper': async () => (await sql`INSERT INTO lines ${sql([{ order: a }, { order: b }])} RETURNING "order"`)[1].order === b,
		'postgres.js: the update helper': async () => (await sql`UPDATE lines SET ${sql({ order: b })} WHERE "order" = ${a}`).count > 0,
		'postgres.js: values with a cast': async () => (await sql`
			SELECT o.id FROM orders o JOIN (VALUES ${sql([[a], [b]])}) v (id) ON o.id = v.id::${sql.unsafe(type)}`).length === 2,
	};
	const found = {};
	for (const [name, call] of Object.entries(calls))
		found[name] = await call().then(holds => holds ? '' : 'a wrong result', error => `${error.cause?.message ?? error.message}`);
	await sql.end();
	await pool.end();
	return found;
}

await admin.query('DROP EXTENSION IF EXISTS gid CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE EXTENSION gid');
const ofUuid = await probes(false);
for (const [name, reason] of Object.entries(await probes(true))) {
	const both = reason !== '' && ofUuid[name] !== '';
	console.log(`${reason === '' || both ? 'ok' : 'not ok'} - ${name}${both ? ` # fails with uuid, too: ${ofUuid[name]}` : reason && `: ${reason}`}`);
}
await admin.end();
