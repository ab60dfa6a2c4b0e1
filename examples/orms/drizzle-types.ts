// What TypeScript accepts with Drizzle, and what it rejects where it is told to expect an error.
import { eq, gte, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Gid } from 'pg-gid';
import { gid, gidKey, timeOf, timestamptz } from 'pg-gid/drizzle';

const customers = pgTable('customers', { id: gidKey('c') });
const orders = pgTable('orders', {
	id: gidKey('o'),
	customer: gid({ kind: 'c' }).notNull().references(() => customers.id),
	about: gid(),
	others: gid('other_name', { kind: 'o' }).array(),
	number: gid({ kind: 200 }),
	item: text().notNull(),
});
const db = drizzle('');

export async function typed(customer: Gid<'c'>, order: Gid<'o'>, any: Gid) {
	await db.insert(orders).values({ customer, item: 'tea', others: [order], about: customer, number: any });
	const [row] = await db.select().from(orders).where(gte(orders.id, timestamptz(new Date())));
	const [{ at }] = await db.select({ at: timeOf(orders.id) }).from(orders).where(inArray(orders.id, [order, row.id]));

	// @ts-expect-error
	await db.insert(orders).values({ customer: order, item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ customer, item: 'tea', others: [customer] });
	// @ts-expect-error
	await db.update(orders).set({ customer: any });
	// @ts-expect-error
	eq(orders.id, customer);
	// @ts-expect-error
	row.id === row.customer;
	// @ts-expect-error
	gidKey('order');

	// Drizzle has one type for all columns on the right: TypeScript accepts this condition.  The server rejects it.
	eq(orders.id, customers.id);
	return { ...row, at } satisfies
		{ id: Gid<'o'>, customer: Gid<'c'>, about: Gid | null, others: Gid<'o'>[] | null, number: Gid | null, at: Date };
}
