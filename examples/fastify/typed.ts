// What TypeScript rejects: it expects an error at each comment.
import { Gid } from 'pg-gid';
import { db } from './shop.js';

export async function rejected(customer: Gid<'c'>, order: Gid<'o'>) {
	const row = await db.selectFrom('orders').selectAll().where('id', 'in', [order]).executeTakeFirstOrThrow();
	// @ts-expect-error
	db.insertInto('orders').values({ customer: order });
	// @ts-expect-error
	db.insertInto('orders').values({ customer: new Gid(customer.text) });
	// @ts-expect-error
	db.selectFrom('orders').where('customer', '=', order);
	// @ts-expect-error
	db.selectFrom('orders').where('id', '>=', new Date());
	// @ts-expect-error
	row.id === row.customer;
}
