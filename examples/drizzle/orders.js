// gid from Drizzle: the default, returning, joins, lists of ids, and times.
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Gid } from 'pg-gid';
import { timeOf, timestamptz } from 'pg-gid/drizzle';
import pg from 'pg';
import * as schema from './schema.js';

const { customers, orders } = schema;

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

const pool = new pg.Pool();
const db = drizzle({ client: pool, schema });
await migrate(db, { migrationsFolder: 'drizzle' });

const [ada] = await db.insert(customers).values({ name: 'Ada' }).returning();
const [bob] = await db.insert(customers).values({ name: 'Bob' }).returning();
shows('an id by default, and returned', ada.id instanceof Gid && ada.id.kind === 'c');

const [tea, milk, salt] = await db.insert(orders).values([
	{ customer: ada.id, item: 'tea' },
	{ customer: ada.id, item: 'milk' },
	{ customer: bob.id, item: 'salt' },
]).returning();
shows('many rows at once, and their ids increase', salt.item === 'salt' && tea.id < milk.id && milk.id < salt.id);

const found = await db.select().from(orders).where(eq(orders.id, milk.id));
shows('an id as a parameter', found.length === 1 && found[0].item === 'milk');
const some = await db.select().from(orders).where(inArray(orders.id, [tea.id, salt.id])).orderBy(asc(orders.id));
shows('a list of ids', some.map(order => order.item).join() === 'tea,salt');

// Where there is no column, the type is written out.
const { rows: [{ kind }] } = await db.execute(sql`SELECT gid_kind(${tea.id}::gid) AS kind`);
shows('an id as a parameter, with a cast', kind === 'o');

const [updated] = await db.update(customers).set({ favourites: [salt.id, tea.id] })
	.where(eq(customers.id, ada.id)).returning();
shows('an array of ids', updated.favourites.join() === [salt.id, tea.id].join() && updated.favourites[0] instanceof Gid);

const [{ favourites }] = await db.update(customers).set({ favourites: [null, tea.id] }).where(eq(customers.id, bob.id)).returning();
const { rows: [{ nulls }] } = await pool.query('SELECT favourites[1] IS NULL AND favourites[2] = $1 AS nulls FROM customers WHERE id = $2', [tea.id, bob.id]);
shows('NULL in an array', nulls && favourites[0] === null && favourites[1].equals(tea.id));

const joined = await db.select({ name: customers.name, order: orders.id })
	.from(orders).innerJoin(customers, eq(orders.customer, customers.id)).where(eq(customers.name, 'Bob'));
shows('a join', joined.length === 1 && joined[0].order.equals(salt.id));
const nested = await db.query.customers.findFirst({
	where: eq(customers.id, ada.id),
	with: { orders: { orderBy: asc(orders.id) } },
});
shows('a relation', nested.orders.map(order => order.id).join() === [tea.id, milk.id].join());

// When an id was made is read from it, or said by the server.  A Date compared with an id is a time.
await new Promise(resolve => setTimeout(resolve, 5));
const [bread] = await db.insert(orders).values({ customer: bob.id, item: 'bread' })
	.returning({ id: orders.id, at: timeOf(orders.id) });
shows('the time of an id', +bread.at === +bread.id.time && Math.abs(Date.now() - bread.at) < 60_000);
const anHour = 60 * 60 * 1000;
const since = await db.select().from(orders)
	.where(and(gte(orders.id, bread.at), lt(orders.id, new Date(+bread.at + anHour))));
const before = await db.select().from(orders).where(sql`${orders.id} < ${timestamptz(bread.at)}`);
shows('a range of time', since.length === 1 && since[0].id.equals(bread.id) && before.length === 3);
const uncast = await db.select().from(orders).where(sql`${orders.id} >= ${bread.at}`).catch(error => error);
shows('a time in SQL of one\'s own, without its type, is rejected', uncast.cause?.code === '22P02');

// An id can be made here, and a range of time be a range of ids.
const butter = { id: Gid.new('o'), customer: bob.id, item: 'butter' };
await db.insert(orders).values(butter);
const range = await db.select().from(orders)
	.where(and(gte(orders.id, Gid.lowerBound('o', butter.id.time)), lt(orders.id, Gid.upperBound('o', butter.id.time))));
shows('an id made by the program', range.some(order => order.id.equals(butter.id)));

// An id of another kind is an error before the query is sent, in conditions, too.
for (const query of [() => db.insert(orders).values({ customer: tea.id, item: 'an order is no customer' }),
	() => db.update(orders).set({ customer: tea.id }),
	() => db.update(customers).set({ favourites: [ada.id] }),
	() => db.select().from(orders).where(eq(orders.id, ada.id)),
	() => db.select().from(orders).where(inArray(orders.id, [tea.id, ada.id]))]) {
	const refused = await (async () => query())().catch(error => error);
	shows(`a wrong kind is rejected: ${refused.message}`, refused instanceof RangeError);
}
shows('the end of a range without an end', (await db.select().from(orders).where(lt(orders.id, Gid.lowerBound('o', 10n ** 30n)))).length === 5);
// Drizzle's own error says which query failed; the server's is its cause.
const columns = await db.select().from(orders).innerJoin(customers, eq(orders.id, customers.id)).catch(error => error);
shows(`a join of columns of two kinds is rejected: ${columns.cause?.message}`, columns.cause?.code === '42804');

await pool.end();
