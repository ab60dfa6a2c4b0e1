// A bundle for Node.
import { Gid } from 'pg-gid';

console.log(`${Gid.new('o').kind === 'o' ? 'ok' : 'not ok'} - a bundle for Node`);
