// The tables, each with ids of its own kind, and how they hang together.
import { relations } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { gid, gidKey } from 'pg-gid/drizzle';

export const customers = pgTable('customers', {
	id: gidKey('c'),
	name: text().notNull(),
	favourites: gid({ kind: 'o' }).array(),
});

export const orders = pgTable('orders', {
	id: gidKey('o'),
	customer: gid({ kind: 'c' }).notNull().references(() => customers.id),
	item: text().notNull(),
});

export const customerRelations = relations(customers, ({ many }) => ({ orders: many(orders) }));
export const orderRelations = relations(orders, ({ one }) => ({
	customer: one(customers, { fields: [orders.customer], references: [customers.id] }),
}));
