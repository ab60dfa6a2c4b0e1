import type { AbstractDataType } from 'sequelize';
import type { KindLike } from './gid.js';

/** A column of gid(kind), of strings; without a kind, of ids of any kind. */
export function GID(kind?: KindLike): AbstractDataType;
