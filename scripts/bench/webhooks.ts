import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SENDER_COUNT } from '../../src/areas/webhooks/delivery/delivery.data.ts';
import { BLANK_TEMPLATE } from '../../src/areas/webhooks/events/template.domain.ts';
import { createAddressVault } from '../../src/areas/webhooks/records/webhooks.store.ts';
import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { median } from '../lib/measure/quantiles.ts';

const SECRET = 'secret of webhook URLs in a local bundle, 32 or more';
const SOCKET = { host: '127.0.0.1', port: 18_801 };
/** Response time of the receiver, in milliseconds. */
const RESPONSE_MS = 50;
const PAGE = 500;
const IDLE_LOOKUPS = 40;
const LOOKUP_PAUSE_MS = 100;
const WHOLE_RUN_MS = 15 * 60_000;
const TEMPLATE = { ...BLANK_TEMPLATE, enabled: true, title: '{name}', show_image: false };

const { values: options } = parseArgs({ options: { webhooks: { type: 'string', default: '10000' } } });
const WEBHOOKS = Number(options.webhooks);

/** A chat service that accepts every post. */
async function startReceiver() {
  let posts = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      posts += 1;
      setTimeout(() => response.writeHead(204).end(), RESPONSE_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts: () => posts, close: () => server.close() };
}

/** Stores webhooks for the event, each with its own URL. */
async function storeWebhooks({ database, mintToken }: RunningBundle): Promise<void> {
  await mintToken();
  const vault = createAddressVault(SECRET);
  const userId = await database.prepare('SELECT id FROM users LIMIT 1').first<string>('id');
  const rows = await Promise.all(
    Array.from({ length: WEBHOOKS }, async (_, index) => {
      const id = randomUUID();
      const identity = `${index + 1}/${randomUUID()}`;
      const key = await vault.digest(identity);
      const address = await vault.seal(`https://discord.com/api/webhooks/${identity}`, id);
      return { id, address, key, sender: Number.parseInt(key.slice(0, 8), 16) % SENDER_COUNT };
    }),
  );
  const templates = JSON.stringify({ challenge: TEMPLATE });
  for (let at = 0; at < rows.length; at += PAGE) {
    const page = JSON.stringify(rows.slice(at, at + PAGE));
    await database.batch([
      database
        .prepare(
          `INSERT INTO webhooks (id, user_id, format, label, sealed_address, masked_address, address_key, sender, events, templates, created_at)
          SELECT value->>'id', ?2, 'chat', '', value->>'address', 'https://discord.com/api/webhooks/' || (value->>'id'), value->>'key',
            value->>'sender', '["challenge"]', ?3, 1 FROM json_each(?1)`,
        )
        .bind(page, userId, templates),
      database
        .prepare("INSERT INTO webhook_subscriptions (event, webhook_id) SELECT 'challenge', value->>'id' FROM json_each(?1)")
        .bind(page),
    ]);
  }
}

/** Milliseconds of requests with a token that is used for the first time, until `isDone`. */
async function measureLookups(bundle: RunningBundle, tokens: string[], isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let token = tokens.pop(); token !== undefined && !isDone(); token = tokens.pop()) {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${token}`, 'CF-Connecting-IP': '203.0.113.7' };
    const response = await fetch(`${bundle.directUrl}/v1/rotations/server-time`, { headers });
    if (response.status !== 200) throw new Error(`look-up: ${response.status}`);
    await response.text();
    times.push(performance.now() - start);
    await sleep(LOOKUP_PAUSE_MS);
  }
  return times;
}

const ms = (value: number) => value.toFixed(1);
const quantile = (values: readonly number[], share: number) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;

/**
 * `npm run bench -- webhooks`: one event for 10,000 chat webhooks whose receiver responds after 50 ms, and the look-ups of tokens
 * meanwhile. `--webhooks N` for another number.
 */
await runMain(async () => {
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), WHOLE_RUN_MS).unref();
  const receiver = await startReceiver();
  const vars = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', WEBHOOK_SECRET: SECRET, WEBHOOK_POST_BASE: receiver.url };
  const bundle = await startBundle({ withoutAssets: true, directSocket: SOCKET, vars });
  try {
    await storeWebhooks(bundle);
    const tokens: string[] = [];
    for (let count = 0; count < 300; count += 1) tokens.push(await bundle.mintToken());
    const superuser = await bundle.mintToken({ superuser: true });
    await measureLookups(bundle, tokens.splice(0, 10), () => false);
    const idle = await measureLookups(bundle, tokens.splice(0, IDLE_LOOKUPS), () => false);

    const start = performance.now();
    const headers = { Authorization: `Bearer ${superuser}`, 'Content-Type': 'application/json', 'CF-Connecting-IP': '203.0.113.8' };
    const body = JSON.stringify({ name: 'Bench' });
    const response = await fetch(`${bundle.directUrl}/v1/rotations/challenge/insert`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`insert: ${response.status} ${await response.text()}`);
    await response.text();
    const queued = performance.now() - start;
    const isDone = () => receiver.posts() >= WEBHOOKS;
    const busy = await measureLookups(bundle, tokens, isDone);
    while (!isDone()) await sleep(LOOKUP_PAUSE_MS);
    const seconds = (performance.now() - start) / 1000;
    await sleep(2000);
    const pending = await bundle.database.prepare('SELECT count(*) AS n FROM webhook_deliveries').first<number>('n');
    console.table({
      webhooks: WEBHOOKS,
      'insert with the event queued, ms': ms(queued),
      'all posted after, s': ms(seconds),
      'posts a second': ms(WEBHOOKS / seconds),
      'posts in all (more: repeated)': receiver.posts(),
      'pending afterwards': pending,
      'token look-up at rest, median and 95 %, ms': `${ms(median(idle))}, ${ms(quantile(idle, 0.95))}`,
      'token look-up meanwhile, median and 95 %, ms': `${ms(median(busy))}, ${ms(quantile(busy, 0.95))}`,
    });
  } finally {
    await bundle.dispose();
    receiver.close();
  }
  process.exit();
});
