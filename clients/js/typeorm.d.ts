import type { DataSource } from 'typeorm';
import type { Kind } from './gid.js';

/**
 * Tells a data source, before it is initialized, that there is the type gid.
 * synchronize and generated migrations leave the kinds of columns as they are.
 */
export function withGid(dataSource: DataSource): DataSource;

/** A column of gid(kind), of strings; without a kind, of ids of any kind. */
export function gidColumn(kind?: Kind): { type: any; length?: string };

/** A primary key whose ids the server makes: for `@PrimaryColumn()`, or the columns of an EntitySchema. */
export function gidKey(kind: Kind): { type: any; length?: string; primary: true; default: () => string };
