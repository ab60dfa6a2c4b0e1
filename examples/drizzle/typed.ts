// What TypeScript accepts, and what it rejects where it is told to expect an error.
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
	others: gid({ kind: 'o' }).array(),
	named: gid('other_name', { kind: 'o' }),
	number: gid({ kind: 200 }),
	item: text().notNull(),
});
const db = drizzle('');

export async function typed(customer: Gid<'c'>, order: Gid<'o'>, any: Gid) {
	await db.insert(orders).values({ customer, item: 'tea', others: [order], named: order, about: customer, number: any });
	const [row] = await db.select().from(orders).where(gte(orders.id, timestamptz(new Date())));
	const [{ at }] = await db.select({ at: timeOf(orders.id) }).from(orders).where(eq(orders.id, row.id));
	await db.select().from(orders).innerJoin(customers, eq(orders.customer, customers.id)).where(inArray(orders.id, [order, row.id]));
	await db.update(orders).set({ customer }).where(eq(orders.customer, customer));

	// @ts-expect-error
	await db.insert(orders).values({ customer: 'c', item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ customer: order, item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ customer: any, item: 'tea' });
	// @ts-expect-error
	await db.insert(orders).values({ customer, item: 'tea', others: [customer] });
	// @ts-expect-error
	await db.update(orders).set({ customer: order });
	// @ts-expect-error
	eq(orders.id, customer);
	// @ts-expect-error
	gte(orders.named, customer);
	// @ts-expect-error
	inArray(orders.id, [customer]);
	// @ts-expect-error
	row.id === row.customer;
	// @ts-expect-error
	gid({ kind: Date });
	// @ts-expect-error
	gidKey('order');

	// Drizzle has one type for all columns on the right: TypeScript accepts this condition.  The server rejects it.
	eq(orders.id, customers.id);
	return { ...row, at } satisfies
		{ id: Gid<'o'>, customer: Gid<'c'>, about: Gid | null, others: Gid<'o'>[] | null, named: Gid<'o'> | null, number: Gid | null, at: Date };
}
