import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { customType } from 'drizzle-orm/pg-core';
import type { Gid, Kind } from './gid.js';

type GidColumn = ReturnType<typeof customType<{ data: Gid; driverData: string; config: { kind: Kind } }>>;
type GidKey = ReturnType<ReturnType<ReturnType<GidColumn>['primaryKey']>['default']>;

/** `gid({ kind: 'o' })`, or `gid('name', { kind: 'o' })`: a column of gid(o), and `gid()` one of ids of any kind. */
export const gid: GidColumn;

/** A primary key whose ids the server makes. */
export function gidKey(kind: Kind): GidKey;

/** A time to compare an id with, as in `gte(orders.id, timestamptz(date))`. */
export function timestamptz(date: Date): SQL;

/** When an id was made, as the server says. */
export function timeOf(id: SQLWrapper): SQL<Date>;
