// What TypeScript accepts, and what it rejects where it is told to expect an error.
import { Gid } from 'pg-gid';
import type { Explanation, Kind, KindLike, Time } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';
import { gidType } from 'pg-gid/postgres';

// Both types are the same, in each direction.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const made: Gid = Gid.new('o', new Date());
const text: string = new Gid(made.bytes).text + `${made}` + made.compact + made.kind + JSON.stringify({ made });
const bytes: Uint8Array = new Gid(text).bytes;
const number: number = made.prefix + made.time.getTime();
const instant: bigint | null = Gid.lowerBound(239, 1795286542848060n as Time).instant;
const generator: (number | null)[] = [made.node, made.medallion, made.offset];
const { time, remarks, muid }: Explanation = made.explain();
const ids: Gid[] = [made, Gid.upperBound('volume', 0n)].sort();

// Kinds.
const order = Gid.new('o');
const customer = new Gid(text, 'c');
const orderId: Gid<'o'> = new Gid(text, 'o');
const any = new Gid(text);
same<typeof order, Gid<'o'>>(true);
same<typeof customer, Gid<'c'>>(true);
same<typeof any, Gid>(true);
same<Gid, Gid<Kind>>(true);
const bound = Gid.lowerBound('o', new Date());
same<typeof bound, Gid<'o'>>(true);
const checked = new Gid(text, 'o');
same<typeof checked, Gid<'o'>>(true);
const kind: 'o' = order.kind;
const spelt: Gid[] = [Gid.new('O'), Gid.new(200), Gid.new('239'), Gid.new('200'), new Gid(text), new Gid(text, 'O' as KindLike), new Gid(text, 239)];
const earlier: boolean = order < checked && order === checked && order.equals(checked) && made < order && any.equals(order) && !order.equals(null);
const anywhere: Gid = order;
const guarded: Gid<'o'> | null = Gid.isValid(any, 'o') ? any : null;
const valid: boolean = Gid.isValid(16) && Gid.isValid(text, 'C');
let kinds: Kind = 'volume';
for (kinds of ['129', '130', '199', '224', '251', '255'] as const);

// @ts-expect-error
const contextual: Gid<'o'> = new Gid(text);
// @ts-expect-error
const explicit = new Gid<'o'>(text);
// @ts-expect-error
const unnamed: Gid<'239'> = Gid.new('239');
// @ts-expect-error
const ofAny: Gid<'o'> = any;
// @ts-expect-error
const ofAnother: Gid<'o'> = customer;
// @ts-expect-error
order < customer;
// @ts-expect-error
order === customer;
// @ts-expect-error
order.equals(customer);
// @ts-expect-error
order.equals(text);
// @ts-expect-error
new Gid(text, 'order');
// @ts-expect-error
Gid.isValid(text, 'order');
// @ts-expect-error
kinds = '128';
// @ts-expect-error
kinds = '225';

// Classes.
class OrderId extends Gid<'o'> {
	note = '';
}
class AnyId extends Gid {}
const own = OrderId.new('o');
same<typeof own, OrderId>(true);
const owns: OrderId[] = [OrderId.lowerBound('o', 0n), OrderId.upperBound('o', 0n), new OrderId(text, 'o')];
const plain: Gid<'o'> = own;
const anyIds: AnyId[] = [AnyId.new('c'), new AnyId(text)];
own.note = 'a field';

// @ts-expect-error
OrderId.new('c');
// @ts-expect-error
new OrderId(text, 'c');
// @ts-expect-error
OrderId.lowerBound('c', 0n);
// @ts-expect-error
new OrderId(text);
// @ts-expect-error
const without: OrderId = order;

class Client {}
class TypeOverrides { setTypeParser(): void {} }
const types: TypeOverrides = await gidTypes({ Client, TypeOverrides }, { database: 'shop' });
const parsed: Gid | null = (await gidType(() => undefined)).parse(text);

// @ts-expect-error
new Gid(16);
// @ts-expect-error
Gid.new();
// @ts-expect-error
Gid.new('o', '2026-11-01');
// @ts-expect-error
Gid.lowerBound('o', 1795286542848);
// @ts-expect-error
made.kind = 'c';
// @ts-expect-error
made.text = text;
// @ts-expect-error
const certain: bigint = made.instant;
