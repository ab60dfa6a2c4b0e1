// What TypeScript takes, and what it refuses where it is told to expect an error.
import { Gid } from 'pg-gid';
import type { Kind, Time } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';
import { gidType } from 'pg-gid/postgres';

class OrderId extends Gid {}

const made: Gid = Gid.new('o', new Date());
const order: OrderId = OrderId.new('o');
const text: string = new Gid(made.bytes).text + `${order}` + made.compact + made.kind + JSON.stringify({ made });
const bytes: Uint8Array = new Gid(text).bytes;
const number: number = made.prefix + made.time.getTime();
const instant: bigint | null = Gid.lowerBound(239 as Kind, 1795286542848060n as Time).instant;
const earlier: boolean = made < new Gid(made) || made.equals(text);
const ids: Gid[] = [made, Gid.upperBound('volume', 0n)].sort();

class Client {}
class TypeOverrides { setTypeParser(): void {} }
const types: TypeOverrides = await gidTypes({ Client, TypeOverrides }, { database: 'shop' });
const parsed: Gid = (await gidType(() => undefined)).parse(text);

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

export { bytes, number, instant, earlier, ids, certain, types, parsed };
