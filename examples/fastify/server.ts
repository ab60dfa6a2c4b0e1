import Fastify from 'fastify';
import { sql } from 'kysely';
import { Gid } from 'pg-gid';
import { db } from './shop.js';

const app = Fastify();
const show = (order: { id: Gid<'o'>; customer: Gid<'c'> }) => ({ ...order, created_at: Gid.time(order.id) });

const body = { type: 'object', required: ['customer'], properties: { customer: { type: 'string' } } };
app.post<{ Body: { customer: string } }>('/orders', { schema: { body } }, async (request, reply) => {
	const customer = Gid.parse(request.body.customer, 'c');
	const order = await db.insertInto('orders').values({ customer }).returningAll().executeTakeFirstOrThrow();
	return reply.code(201).send(show(order));
});

app.get<{ Params: { id: string } }>('/orders/:id', async (request, reply) => {
	const id = Gid.parse(request.params.id, 'o');
	const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
	return order ? show(order) : reply.code(404).send({ detail: `there is no order ${id}` });
});

const querystring = {
	type: 'object',
	properties: {
		since: { type: 'string', format: 'date-time' },
		after: { type: 'string' },
		limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
	},
};
type Page = { Querystring: { since?: string; after?: string; limit: number } };
app.get<Page>('/orders', { schema: { querystring } }, async request => {
	const { since, after, limit } = request.query;
	let query = db.selectFrom('orders').selectAll().orderBy('id').limit(limit);
	if (since) query = query.where('id', '>=', sql<Gid<'o'>>`${since}::timestamptz`);
	if (after) query = query.where('id', '>', Gid.parse(after, 'o'));
	const orders = await query.execute();
	return { orders: orders.map(show), next: orders.length === limit ? orders.at(-1)!.id : null };
});

// Gid.parse rejects malformed ids, and ids of other kinds, with a RangeError.
app.setErrorHandler<Error & { statusCode?: number; code?: string }>((error, request, reply) => {
	const isBad = error instanceof RangeError || error.statusCode === 400;
	const isUnknown = error.code === '23503'; // a foreign key
	if (!isBad && !isUnknown) console.error(error);
	return reply.code(isBad || isUnknown ? 422 : 500).send({ detail: isBad || isUnknown ? error.message : 'error' });
});

await app.listen({ port: Number(process.env.PORT ?? 8000) });
