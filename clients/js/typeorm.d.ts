import type { DataSource, ValueTransformer } from 'typeorm';
import type { KindLike } from './gid.js';

/**
 * Adds the type gid to a data source, before it is initialized.
 * synchronize and generated migrations leave the kinds of columns as they are. `queryRunner.changeColumn` changes a kind
 * if all ids of the column have the new kind. Otherwise it raises the server's error.
 */
export function withGid(dataSource: DataSource): DataSource;

/** A column of gid(kind), of strings; without a kind, of ids of any kind. */
export function gidColumn(kind?: KindLike): { type: any; length?: string; transformer: ValueTransformer };

/** A primary key whose ids the server mints: for `@PrimaryColumn()`, or the columns of an EntitySchema. */
export function gidKey(kind: KindLike): { type: any; length?: string; transformer: ValueTransformer; primary: true; default: () => string };
