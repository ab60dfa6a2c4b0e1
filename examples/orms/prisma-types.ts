// What TypeScript accepts with Prisma, and what it rejects where it is told to expect an error.
import { PrismaClient } from '@prisma/client';
import type { Gid } from 'pg-gid';
import { gidFields } from 'pg-gid/prisma';

const plain = new PrismaClient();
const db = plain.$extends(gidFields({ customer: { id: 'c' }, order: { id: 'o', customerId: 'c', relatedId: 'o?' } }));

export async function typed() {
	const order = await db.order.findFirstOrThrow({ include: { customer: true } });
	// @ts-expect-error
	order.id === order.customerId;
	// @ts-expect-error
	plain.$extends(gidFields({ order: { id: 'order' } }));
	// @ts-expect-error
	plain.$extends(gidFields({ order: { nothing: 'o' } }));

	// Parameters are strings of any kind: TypeScript accepts this condition, which finds no order.
	await db.order.findFirst({ where: { id: order.customerId } });
	return order satisfies { id: Gid<'o'>, customerId: Gid<'c'>, relatedId: Gid<'o'> | null, customer: { id: Gid<'c'> } };
}
