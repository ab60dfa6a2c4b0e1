// The tables, each with ids of its own kind, and how they hang together.
import { relations, sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

// A column of gid(kind).  An id is a string here, as it is printed, so nothing has to be converted.
const gid = kind => customType({ dataType: () => `gid(${kind})` })();

export const customers = pgTable('customers', {
	id: gid('c').primaryKey().default(sql`gid_new('c')`),
	name: text().notNull(),
	favourites: gid('o').array(),
});

export const orders = pgTable('orders', {
	id: gid('o').primaryKey().default(sql`gid_new('o')`),
	customer: gid('c').notNull().references(() => customers.id),
	item: text().notNull(),
});

export const customerRelations = relations(customers, ({ many }) => ({ orders: many(orders) }));
export const orderRelations = relations(orders, ({ one }) => ({
	customer: one(customers, { fields: [orders.customer], references: [customers.id] }),
}));
