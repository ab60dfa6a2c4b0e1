import type { HasDefault, IsPrimaryKey, NotNull, SQL, SQLWrapper } from 'drizzle-orm';
import type { ConvertCustomConfig, PgCustomColumnBuilder } from 'drizzle-orm/pg-core';
import type { Gid, Kind, KindLike } from './gid.js';

type Column<K extends Kind, Name extends string = ''> = PgCustomColumnBuilder<ConvertCustomConfig<Name, { data: Gid<K>; driverData: string }>>;

/** `gid({ kind: 'o' })`, or `gid('name', { kind: 'o' })`: a column of gid(o), of `Gid<'o'>`. `gid()`: a column of ids of any kind. */
export function gid<K extends Kind>(config: { kind: K }): Column<K>;
export function gid<Name extends string, K extends Kind>(name: Name, config: { kind: K }): Column<K, Name>;
export function gid(config?: { kind?: KindLike }): Column<Kind>;
export function gid<Name extends string>(name: Name, config?: { kind?: KindLike }): Column<Kind, Name>;

/** A primary key whose ids the server mints. */
export function gidKey<K extends Kind>(kind: K): HasDefault<IsPrimaryKey<NotNull<Column<K>>>>;
export function gidKey(kind: KindLike): HasDefault<IsPrimaryKey<NotNull<Column<Kind>>>>;

/** A time to compare an id with, as in `gte(orders.id, timestamptz(date))`. */
export function timestamptz(date: Date): SQL;

/** The creation time of an id, from the server. */
export function timeOf(id: SQLWrapper): SQL<Date>;
