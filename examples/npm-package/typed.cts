// CommonJS in TypeScript.
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';

const order: Gid<'o'> = Gid.new('o');
class OrderId extends Gid<'o'> {}
const own: OrderId = OrderId.new('o');
// @ts-expect-error
const customer: Gid<'c'> = order;
export { own, customer, gidTypes };
