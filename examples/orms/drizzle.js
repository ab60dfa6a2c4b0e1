// Drizzle: the default, returning, relations, arrays, lists of ids, and times.
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Gid } from 'pg-gid';
import { timeOf, timestamptz } from 'pg-gid/drizzle';
import pg from 'pg';
import { rejects, shows } from './built/shows.js';
import * as schema from './schema.js';

const { customers, orders } = schema;
const pool = new pg.Pool();
const db = drizzle({ client: pool, schema });
await migrate(db, { migrationsFolder: 'drizzle' });

const [ada, bob] = await db.insert(customers).values([{ name: 'Ada' }, { name: 'Bob' }]).returning();
shows('Drizzle: an id by default, and returned', Gid.isValid(ada.id, 'c'));
const [tea, milk, salt] = await db.insert(orders).values([
	{ customer: ada.id, item: 'tea' },
	{ customer: ada.id, item: 'milk' },
	{ customer: bob.id, item: 'salt' },
]).returning();
const some = await db.select().from(orders).where(inArray(orders.id, [tea.id, salt.id])).orderBy(asc(orders.id));
shows('a list of ids', some.map(order => order.item).join() === 'tea,salt');
const [updated] = await db.update(customers).set({ favourites: [null, tea.id] }).where(eq(customers.id, bob.id)).returning();
const { rows: [{ nulls }] } = await pool.query('SELECT favourites[1] IS NULL AND favourites[2] = $1 AS nulls FROM customers WHERE id = $2', [tea.id, bob.id]);
shows('an array of ids, with NULL', nulls && updated.favourites[0] === null && updated.favourites[1] === tea.id);
const nested = await db.query.customers.findFirst({
	where: eq(customers.id, ada.id),
	with: { orders: { orderBy: asc(orders.id) } },
});
shows('a relation', nested.orders.map(order => order.id).join() === [tea.id, milk.id].join());

// The time of an id comes from the id, or from the server.  A Date compared with an id is a time.
await new Promise(resolve => setTimeout(resolve, 5));
const [bread] = await db.insert(orders).values({ customer: bob.id, item: 'bread' })
	.returning({ id: orders.id, at: timeOf(orders.id) });
shows('the time of an id', +bread.at === +Gid.time(bread.id));
const anHour = 60 * 60 * 1000;
const since = await db.select().from(orders)
	.where(and(gte(orders.id, bread.at), lt(orders.id, new Date(+bread.at + anHour))));
const before = await db.select().from(orders).where(sql`${orders.id} < ${timestamptz(bread.at)}`);
shows('a range of time', since.length === 1 && since[0].id === bread.id && before.length === 3);
shows('the end of a range without an end', (await db.select().from(orders).where(lt(orders.id, Gid.lowerBound('o', 10n ** 30n)))).length === 4);

await rejects(() => db.insert(orders).values({ customer: tea.id, item: 'an order is no customer' }),
	() => db.update(orders).set({ customer: tea.id }), () => db.update(customers).set({ favourites: [ada.id] }),
	() => db.select().from(orders).where(eq(orders.id, ada.id)), () => db.select().from(orders).where(inArray(orders.id, [tea.id, ada.id])),
	() => db.select().from(orders).where(gte(orders.id, bread.at.toISOString())));
await pool.end();
