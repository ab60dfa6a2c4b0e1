// For a browser: bundled in bundle.html, and as it is in module.html.
import { Gid } from 'pg-gid';

const ids = Array.from({ length: 1000 }, () => Gid.new('o'));
const right = ids.every((id, n) => id.kind === 'o' && (n === 0 || ids[n - 1] < id) && new Gid(id.bytes).equals(id))
	&& Math.abs(Date.now() - ids[0].time) < 60_000
	&& new Gid('A4KfAtmq1H-43VMdfVBbxRrN').explain().time === '2026-11-21T18:42:22.848+00:00';
document.body.textContent = `${right ? 'ok' : 'not ok'} - ${document.title}`;
