// What TypeScript accepts, and what it rejects where it is told to expect an error.
import { Gid } from 'pg-gid';
import type { Explanation, Kind, KindLike, Time } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';

// Both types are the same, in each direction.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const made: Gid = Gid.new('o', new Date());
const text: string = made + `${made}` + Gid.compact(made) + Gid.kind(made) + JSON.stringify({ made }) + made.slice(0, 10);
const bytes: Uint8Array = Gid.bytes(text);
const number: number = Gid.prefix(made) + Gid.time(made).getTime();
const instant: bigint | null = Gid.instant(Gid.lowerBound(239, 1795286542848060n as Time));
const generator: (number | null)[] = [Gid.node(made), Gid.medallion(made), Gid.offset(made)];
const { time, remarks, muid }: Explanation = Gid.explain(made);
const ids: Gid[] = [made, Gid.upperBound('volume', 0n), Gid.fromBytes(bytes)].sort();
const times: Date[] = ids.map(Gid.time);
const parsed: Gid[] = [text].map(Gid.parse);

// Kinds.
const order = Gid.new('o');
const customer = Gid.parse(text, 'c');
const orderId: Gid<'o'> = Gid.parse(text, 'o');
const any = Gid.parse(text);
same<typeof order, Gid<'o'>>(true);
same<typeof customer, Gid<'c'>>(true);
same<typeof any, Gid>(true);
same<Gid, Gid<Kind>>(true);
const bound = Gid.lowerBound('o', new Date());
same<typeof bound, Gid<'o'>>(true);
const ofBytes = Gid.fromBytes(bytes, 'o');
same<typeof ofBytes, Gid<'o'>>(true);
const kind: 'o' = Gid.kind(order);
const spelt: Gid[] = [Gid.new('O'), Gid.new(200), Gid.new('239'), Gid.new('200'), Gid.parse(text), Gid.parse(text, 'O' as KindLike), Gid.parse(text, 239)];
const earlier: boolean = order < ofBytes && order === ofBytes && made < order && any === order;
const anywhere: Gid = order;
const guarded: Gid<'o'> | null = Gid.isValid(any, 'o') ? any : null;
const valid: boolean = Gid.isValid(16) && Gid.isValid(text, 'C');
let kinds: Kind = 'volume';
for (kinds of ['129', '130', '199', '224', '251', '255'] as const);
const items = new Map<Gid<'o'>, string>([[order, 'tea']]);
const item: string | undefined = items.get(order) ?? { [order]: 'milk' }[order];
const found: boolean = new Set([order]).has(ofBytes) && [order].includes(ofBytes);

// @ts-expect-error
const contextual: Gid<'o'> = Gid.parse(text);
// @ts-expect-error
const unchecked: Gid<'o'> = text;
// @ts-expect-error
const uncheckedOfAny: Gid = text;
// @ts-expect-error
const explicit = Gid.parse<'o'>(text);
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
items.get(customer);
// @ts-expect-error
[order].includes(customer);
// @ts-expect-error
Gid.parse(text, 'order');
// @ts-expect-error
Gid.isValid(text, 'order');
// @ts-expect-error
kinds = '128';
// @ts-expect-error
kinds = '225';
// A compact text is valid, and is not an id.
// @ts-expect-error
if (Gid.isValid(text, 'o')) same<typeof text, Gid<'o'>>(true);

class Client {}
class TypeOverrides { setTypeParser(): void {} }
const types: TypeOverrides = await gidTypes({ Client, TypeOverrides }, { database: 'shop' });

// @ts-expect-error
Gid.parse(16);
// @ts-expect-error
Gid.parse(bytes);
// @ts-expect-error
new Gid(text);
// @ts-expect-error
Gid.new();
// @ts-expect-error
Gid.new('o', '2026-11-01');
// @ts-expect-error
Gid.lowerBound('o', 1795286542848);
// @ts-expect-error
const certain: bigint = Gid.instant(made);
