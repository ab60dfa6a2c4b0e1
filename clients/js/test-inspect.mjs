// Compares inspect.html with Gid, in Chromium.
//
// Chromium reads commands from its file descriptor 3 and writes results and events to
// 4, as JSON that ends in a zero byte (its option --remote-debugging-pipe).
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Gid } from 'pg-gid';
import { pageWith } from './inspect.mjs';

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');
const is = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - inspect.html: ${what}`);
	if (!holds) process.exitCode = 1;
}

function same(what, got, expected) {
	shows(what, is(got, expected));
	if (!is(got, expected)) console.log(`# got      ${JSON.stringify(got)}\n# expected ${JSON.stringify(expected)}`);
}

const page = read('inspect.html');
shows('it is what "node inspect.mjs" writes', page === pageWith(read('gid.js'), page));
shows('it contains gid.js', page.includes(read('gid.js')));

const folder = mkdtempSync(join(tmpdir(), 'gid-inspect-'));
const chromium = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
	`--user-data-dir=${folder}/profile`, '--remote-debugging-pipe'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } });
let errors = '';
chromium.stderr.on('data', data => errors += data);
const waiting = new Map();	// commands, by their number
const listening = new Set();
let number = 0;
let input = '';
chromium.stdio[4].setEncoding('utf8').on('data', data => {
	const messages = (input + data).split('\0');
	input = messages.pop();
	for (const message of messages.map(text => JSON.parse(text))) {
		if (message.id === undefined) listening.forEach(listener => listener(message));
		else {
			const { resolve, reject } = waiting.get(message.id);
			waiting.delete(message.id);
			if (message.error) reject(new Error(message.error.message));
			else resolve(message.result);
		}
	}
});
let running = true;
const ended = new Promise(resolve => chromium.on('close', resolve).on('error', error => {
	errors += error.message;
	resolve();
})).then(() => {
	running = false;
	waiting.forEach(({ reject }) => reject(new Error(`Chromium ended: ${errors}`)));
});
chromium.stdio[3].on('error', () => {});

function send(sessionId, method, params = {}) {
	return new Promise((resolve, reject) => {
		if (!running) throw new Error(`Chromium ended: ${errors}`);
		waiting.set(++number, { resolve, reject });
		chromium.stdio[3].write(`${JSON.stringify({ id: number, sessionId, method, params })}\0`);
	});
}

// A tab that shows the page.
async function open(url) {
	const { targetId } = await send(undefined, 'Target.createTarget', { url: 'about:blank' });
	const { sessionId } = await send(undefined, 'Target.attachToTarget', { targetId, flatten: true });
	const tab = {
		requests: [],
		problems: [],
		send: (method, params) => send(sessionId, method, params),
		async evaluate(expression) {
			const { result, exceptionDetails } = await tab.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
			if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
			return result.value;
		},
		// Types as a user does, in place of what is there.
		async type(text) {
			await tab.evaluate(`document.getElementById('input').focus(), document.getElementById('input').select()`);
			await tab.send('Input.insertText', { text });
			return tab.read();
		},
		read: () => tab.evaluate(`(${readPage})()`),
		close: () => send(undefined, 'Target.closeTarget', { targetId }),
	};
	const loaded = new Promise(resolve => listening.add(({ sessionId: from, method, params }) => {
		if (from !== sessionId) return;
		if (method === 'Page.loadEventFired') resolve();
		if (method === 'Network.requestWillBeSent') tab.requests.push(params.request.url);
		if (method === 'Log.entryAdded') tab.problems.push(params.entry.text);
		if (method === 'Runtime.exceptionThrown') tab.problems.push(params.exceptionDetails.text);
	}));
	for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await tab.send(`${domain}.enable`);
	await tab.send('Page.navigate', { url });
	await loaded;
	return tab;
}

// What the page shows.  This runs in the page.
function readPage() {
	const texts = (from, selector) => [...from.querySelectorAll(selector)].map(({ textContent }) => textContent);
	return {
		status: document.getElementById('status').textContent,
		ids: [...document.querySelectorAll('#results section')].map(section => ({
			title: section.querySelector('h2').textContent,
			reason: section.querySelector('.reason')?.textContent,
			explain: [...section.querySelectorAll('.explain tr')].map(row => texts(row, 'th, td')),
			hex: texts(section, '.hex').join(''),
			bits: texts(section, '.bits').join(''),
			drawn: [...section.querySelectorAll('.field')].map(({ title }) => title),
			fields: [...section.querySelectorAll('.fields tbody tr')].map(row => texts(row, 'th, td')),
		})),
	};
}

// The microseconds of an age.
function ageOf(text) {
	const [, days = '0', hours, minutes, seconds] = text.match(/^(?:(-?\d+) days? ?)?(?:-?(\d+):(\d+):([\d.]+))?$/);
	const within = Math.round(((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1e6);
	return Number(days) * 86_400_000_000 + (text.includes('-') ? -within : within);
}

function explainOf(text) {
	return Object.entries(new Gid(text).explain()).map(([name, value]) =>
		[name, value === null ? 'NULL' : ['time', 'instant'].includes(name) ? value.replace('T', ' ').replace('+00:00', '+00') : String(value)]);
}

function fieldsOf(id) {
	const hex = Buffer.from(id.bytes).toString('hex');
	const first = [['prefix', '0–7', String(id.prefix)], ['milliseconds', '8–55', String(id.time.getTime())]];
	return id.instant === null ? [...first, ['the rest', '56–127', `0x${hex.slice(14)}`]]
		: [...first, ['byte 7', '56–63', String(id.bytes[7])], ['microseconds', '64–73', String(id.instant % 1000n)],
			['medallion: node', '74–83', String(id.node)], ['medallion: slot', '84–97', String(id.medallion % 2 ** 14)], ['offset', '98–127', String(id.offset)]];
}

const withoutAge = rows => rows.filter(([name]) => name !== 'age');

function showsId(what, shown, id) {
	const hex = Buffer.from(id.bytes).toString('hex');
	same(`${what}: the rows of explain`, withoutAge(shown?.explain ?? []), withoutAge(explainOf(id.text)));
	same(`${what}: the bytes and the bits`, [shown?.title, shown?.hex, shown?.bits],
		[id.text, hex, [...hex].map(digit => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')]);
	same(`${what}: the fields`, shown?.fields, fieldsOf(id));
	same(`${what}: the labels in the drawing`, [...new Set(shown?.drawn)], fieldsOf(id).map(([name, bits]) => `${name}, bits ${bits.replace('–', ' to ')}`));
}

const reasonOf = value => {
	try {
		return String(new Gid(value));
	} catch (error) {
		return error.message;
	}
};

const requested = [];
const server = createServer((request, response) => {
	requested.push(request.url);
	response.setHeader('Access-Control-Allow-Origin', '*').end();
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const elsewhere = `http://127.0.0.1:${server.address().port}`;

// Sends requests in several ways, and says which of them the page's policy has blocked.
const sendRequests = `new Promise(async resolve => {
	const blocked = [];
	document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
	await fetch('${elsewhere}/fetch').catch(() => {});
	navigator.sendBeacon('${elsewhere}/beacon');
	for (const [name, key, value] of [['img', 'src', 'img'], ['link', 'href', 'style'], ['iframe', 'src', 'iframe']]) {
		const made = Object.assign(document.createElement(name), name === 'link' ? { rel: 'stylesheet' } : {});
		made[key] = '${elsewhere}/' + value;
		await new Promise(done => {
			made.onload = made.onerror = done;
			setTimeout(done, 1000);
			document.body.append(made);
		});
	}
	const form = Object.assign(document.createElement('form'), { action: '${elsewhere}/form', target: 'frame' });
	document.body.append(Object.assign(document.createElement('iframe'), { name: 'frame' }), form);
	form.submit();
	setTimeout(() => resolve([...new Set(blocked)].sort()), 500);
})`;

try {
	const url = new URL('inspect.html', import.meta.url).href;
	const example = 'A4KfAtmq1H-43VMdfVBbxRrN';
	const edges = read('../../vectors/edges.tsv').split('\n').slice(1, -1).map(line => line.split('\t')[0]);
	const graft = read('../../vectors/graft-minted.tsv').split('\n')[1].split('\t')[0];
	const minted = String(Gid.new('segment'));

	let tab = await open(url);
	let shown = await tab.read();
	showsId('the example', shown.ids[0], new Gid(example));
	shows('the example is named so', shown.ids.length === 1 && shown.status === 'An example:');
	await tab.evaluate(`new Promise(resolve => {
		addEventListener('hashchange', () => resolve());
		location.hash = '${graft}';
	})`);
	shown = await tab.read();
	showsId('the fragment changes', shown.ids[0], new Gid(graft));
	await tab.close();

	tab = await open(`${url}#${minted}`);
	const before = ageOf(new Gid(minted).explain().age);
	shown = await tab.type(minted);
	const after = ageOf(new Gid(minted).explain().age);
	const age = ageOf(Object.fromEntries(shown.ids[0].explain).age);
	shows('the age is of now', before - 2000 <= age && age <= after + 2000);
	same('ages are read well', ['2 days 01:00:00.5', '-1 days -00:00:01', '00:00:00'].map(ageOf), [176_400_500_000, -86_401_000_000, 0]);
	await tab.close();

	tab = await open(`${url}#${minted}`);
	showsId('the fragment', (await tab.read()).ids[0], new Gid(minted));
	shown = await tab.type(edges.join('\n'));
	same('many ids, in order', shown.ids.map(({ title }) => title), edges);
	same('many ids: the rows of explain', shown.ids.map(({ explain }) => withoutAge(explain)), edges.map(id => withoutAge(explainOf(id))));
	same('many ids: the fields', shown.ids.map(({ fields }) => fields), edges.map(id => fieldsOf(new Gid(id))));
	same('they are counted', shown.status, `${edges.length} valid ids.`);

	const id = new Gid(example);
	const { uuid, compact } = id.explain();
	const hex = uuid.replaceAll('-', '');
	const log = `2026-11-21 18:42:23.001 UTC [417] ERROR:  duplicate key "orders_pkey" DETAIL: Key (id)=(${example}) exists
		{"a":"${compact}","b":["${uuid}",'\\\\x${hex}']} \\x${hex} ${hex.toUpperCase()} order-${minted}, /orders/${graft}?x
		4bf92f3577b34da6a3ce929d0e0e47361 AbstractFactoryBuilder 660CDB8A8103C-10000B06533-2E533387 127.0.0.1:5432`;
	shown = await tab.type(log);
	same('ids in a log, in every form', shown.ids.map(({ title }) => title), [example, example, example, example, example, minted, graft]);
	shown = await tab.type(`${example} ${example}`);
	same('an id twice is shown once', [shown.ids.length, shown.status], [1, '1 valid id.']);
	const hundreds = Array.from({ length: 150 }, () => String(Gid.new('log')));
	shown = await tab.type(hundreds.join(' '));
	same('not more than 100 are shown', [shown.ids.map(({ title }) => title), shown.status], [hundreds.slice(0, 100), '150 valid ids, the first 100 are shown.']);

	// Text that looks like an id.
	const wrong = ['8H24TMQEGM-21Kj8kUFQLRh0', '8H24TMOEGM-21Kj8kUFQLRhg', 'zzzzzzzzzz-1111111111111', 'QiAcFZD6ehhV4ow9br80vJ'];
	shown = await tab.type(`${wrong.join(' ')} ${example}`);
	same('wrong ids in text have their reasons', shown.ids.map(({ reason }) => reason), [...wrong.map(reasonOf), undefined]);
	same('and are counted', shown.status, '1 valid id, 4 invalid.');
	shown = await tab.type('550e8400-e29b-41d4-a716-446655440000');
	same('also a uuid', shown.ids.map(({ reason }) => reason), [reasonOf(Uint8Array.from(Buffer.from('550e8400e29b41d4a716446655440000', 'hex')))]);
	const refused = read('../../vectors/refused.txt').split('\n').slice(1, -1).map(line => line.split('\t')[0].trim()).filter(text => text && !/\s|^[0-9a-f-]{36}$/.test(text));
	const reasons = [];
	for (const text of refused) reasons.push((await tab.type(text)).ids.map(({ title, reason }) => [title, reason]));
	same('one wrong word has its reason', reasons, refused.map(text => [[text, reasonOf(text)]]));
	shows('there are such words', refused.length > 10);
	same('text without an id', await tab.type('no id, none'), { status: '0 valid ids.', ids: [] });

	// Pasted HTML.
	const html = `<img/src=x/onerror=document.title='run'><b/id=inserted>${example.slice(1)}</b><script>document.title='run'</script>`;
	const inserted = `[document.title, document.querySelectorAll('img, b, #results script').length]`;
	await tab.evaluate('addEventListener("error", () => document.title = "error", true)');
	shown = await tab.type(html);
	same('HTML is shown as text', [shown.ids[0].title, shown.ids[0].reason], [html, reasonOf(html)]);
	same('HTML is inert', await tab.evaluate(inserted), ['What is this gid?', 0]);
	same('nothing is requested or wrong', [tab.requests.filter(request => !request.startsWith(url)), tab.problems], [[], []]);
	same('nothing is stored', await tab.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, '']);
	shows('insertAdjacentHTML is an error', await tab.evaluate(`new Promise(resolve => {
		try { document.body.insertAdjacentHTML('beforeend', '<b>') } catch { resolve(true) }
		resolve(false);
	})`));
	await tab.close();
	tab = await open(`${url}#${encodeURIComponent(html)}`);
	same('HTML in a fragment is inert', [(await tab.read()).ids[0].title, ...await tab.evaluate(inserted)], [html, 'What is this gid?', 0]);

	const blocked = await tab.evaluate(sendRequests);
	same('its policy blocks requests', [blocked, requested], [['connect-src', 'form-action', 'frame-src', 'img-src', 'style-src-elem'], []]);
	await tab.close();
	const unprotected = join(folder, 'unprotected.html');
	writeFileSync(unprotected, page.replace(/<meta http-equiv="Content-Security-Policy".*\n/, ''));
	tab = await open(pathToFileURL(unprotected).href);
	await tab.evaluate(sendRequests);
	for (let tries = 0; tries < 100 && requested.length < 6; tries++) await new Promise(resolve => setTimeout(resolve, 100));
	same('without the policy the same requests arrive', requested.map(path => path.replace('?', '')).sort(), ['/beacon', '/fetch', '/form', '/iframe', '/img', '/style']);
	await tab.close();

	// A phone.
	tab = await open(`${url}#${minted}`);
	await tab.send('Emulation.setDeviceMetricsOverride', { width: 320, height: 640, deviceScaleFactor: 2, mobile: true });
	await tab.type(`${minted} ${graft} ${'8H24TMQEGM-21Kj8kUFQLRh0'}`);
	same('it fits into 320 pixels', await tab.evaluate('[innerWidth, document.documentElement.scrollWidth]'), [320, 320]);
	const overflow = `[...document.querySelectorAll('.word')].filter(word => word.lastChild.getBoundingClientRect().right > document.querySelector('main').getBoundingClientRect().right + 1).length`;
	same('the drawings too', await tab.evaluate(overflow), 0);
	same('no digit is cut off', await tab.evaluate(`[...document.querySelectorAll('.bits, .hex')].filter(line => {
		const last = document.createRange();
		last.setStart(line.firstChild, line.textContent.length - 1);
		return last.getBoundingClientRect().left + 0.6 * parseFloat(getComputedStyle(line).fontSize) > line.getBoundingClientRect().right;
	}).map(({ textContent }) => textContent)`), []);
	await tab.send('Emulation.setDeviceMetricsOverride', { width: 500, height: 640, deviceScaleFactor: 1, mobile: false });
	same('a scroll bar takes its width', await tab.evaluate(`[document.documentElement.clientWidth < innerWidth, ${overflow}]`), [true, 0]);
	// SHOTS=FOLDER writes screenshots there.
	if (process.env.SHOTS)
		for (const [name, width, scheme] of [['phone-light', 360, 'light'], ['phone-dark', 360, 'dark'], ['light', 1000, 'light'], ['dark', 1000, 'dark']]) {
			await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 1800, deviceScaleFactor: 1, mobile: width < 400 });
			await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
			writeFileSync(join(process.env.SHOTS, `${name}.png`), Buffer.from((await tab.send('Page.captureScreenshot', { captureBeyondViewport: true })).data, 'base64'));
		}
} finally {
	server.close();
	server.closeAllConnections();
	chromium.kill();
	await ended;
	rmSync(folder, { recursive: true, maxRetries: 5 });
}
