// For Node: Node 18 has no global crypto.  Later versions have one.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
export { Gid } from './gid.js';
