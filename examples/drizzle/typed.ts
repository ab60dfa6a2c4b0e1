// What TypeScript takes, and what it refuses where it is told to expect an error.
import { eq, gte } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Gid } from 'pg-gid';
import { gid, gidKey, timeOf, timestamptz } from 'pg-gid/drizzle';

const orders = pgTable('orders', {
	id: gidKey('o'),
	customer: gid({ kind: 'c' }).notNull(),
	about: gid(),
	others: gid({ kind: 'o' }).array(),
	item: text().notNull(),
});
const db = drizzle('');

export async function typed() {
	await db.insert(orders).values({ customer: Gid.new('c'), item: 'tea' });
	const [order] = await db.select().from(orders).where(gte(orders.id, timestamptz(new Date())));
	const [{ at }] = await db.select({ at: timeOf(orders.id) }).from(orders).where(eq(orders.id, order.id));
	// @ts-expect-error
	await db.insert(orders).values({ customer: 'c', item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ item: 'tea' });
	// @ts-expect-error
	gid({ kind: Date });
	return { id: order.id, about: order.about, others: order.others, at } satisfies
		{ id: Gid, about: Gid | null, others: Gid[] | null, at: Date };
}
