import { hashToken, tokenIdOf } from '../../src/platform/access/tokens/token-format.ts';
import { startBundle } from '../lib/bundle.ts';
import { productionVars, tokenFormatIn } from '../lib/config.ts';
import { runMain } from '../lib/main.ts';
import { median } from '../lib/measure/quantiles.ts';
import { startBareWorker } from './bare-worker.ts';
import { putLoad } from './wrk.ts';

const SOCKET = { host: '127.0.0.1', port: 18_803 };
const BARE_SOCKET = { host: '127.0.0.1', port: 18_804, callsObject: true };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const HEADERS = { 'CF-Connecting-IP': '203.0.113.7' };
const LIFTED = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };

/** An RPC of each class to one instance, as the request path makes it. `token`: id and hash of a token. */
const CALLS = `
  const now = () => Math.floor(Date.now() / 1000);
  const addressCall = () => ({ name: 'anon:bench', member: null, limits: { member: 1e9, network: null },
    seen: { member: 0, network: 0 }, windowSeconds: 60, now: now() });
  const calls = {
    location: (env) => env.RATE_LIMITS.getByName('anon:bench:0').countLocally(addressCall()),
    address: (env) => env.RATE_LIMITS.getByName('bench-address').countGlobally(addressCall(), 'here', { member: 0, network: 0 }),
    gate: (env, token) => env.TOKEN_GATES.getByName(token.id).admit({ hashedToken: token.hash, demand: { kind: 'public', scopes: 0 },
      callerAddress: '203.0.113.7', now: now(), counter: 'requests', limit: 1e9, windowSeconds: 60, finished: [] }),
    coordinator: (env) => env.EVENT_COORDINATOR.getByName('coordinator').heartbeat(),
    event: (env) => env.EVENT_COORDINATOR.getByName('coordinator').announce('mod_release', crypto.randomUUID(), '{}', now()),
    shard: (env) => env.EVENT_SHARDS.getByName('shard-0').connections(),
    sender: (env) => env.WEBHOOK_SENDERS.getByName('sender-0').wake(0),
    idempotency: (env) => env.IDEMPOTENCY.getByName('bench').claim('body', 'holder'),
    downloads: (env) => env.MOD_DOWNLOADS.getByName('bench').record('1', '203.0.113.7', now()),
    ingest: (env) => env.BOARDS_INGEST.getByName('bench').enqueue([]),
    status: (env) => env.SERVICE_STATUS.getByName('bench').read(),
  };`;

const NAMES = ['location', 'address', 'gate', 'coordinator', 'event', 'shard', 'sender', 'idempotency', 'downloads', 'ingest', 'status'];

/** Entry module that makes the call of the path, in front of the bundle. */
const ENTRY = `
  export * from './index.js';
  ${CALLS}
  export default { async fetch(request, env) {
    const token = { id: request.headers.get('Token-Id'), hash: request.headers.get('Token-Hash') };
    await calls[new URL(request.url).pathname.slice(1)](env, token);
    return new Response('ok');
  } };`;

/**
 * `npm run bench -- objects`: calls a second that one instance of each Durable Object class serves, and the ratio to a bare counting object
 * in the same run. A name limits the run to one call.
 */
await runMain(async () => {
  const selected = process.argv[2];
  const bundle = await startBundle({ withoutAssets: true, directSocket: SOCKET, vars: LIFTED, wrapper: { 'bench.js': ENTRY } });
  const bare = await startBareWorker({ status: 200, headers: {}, body: 'ok' }, BARE_SOCKET);
  const rows: Record<string, Record<string, string>> = {};
  try {
    const secret = await bundle.mintToken();
    const { prefix } = tokenFormatIn({ ...productionVars(), ...LIFTED });
    const headers = { ...HEADERS, 'Token-Id': tokenIdOf(secret, prefix) ?? '', 'Token-Hash': hashToken(secret) };
    for (const name of NAMES.filter((each) => selected === undefined || each === selected)) {
      const url = `${bundle.directUrl}/${name}`;
      const response = await fetch(url, { headers });
      if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
      await response.text();
      const ours: number[] = [];
      const floor: number[] = [];
      let errors = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { host, port } = BARE_SOCKET;
        floor.push((await putLoad({ url: `http://${host}:${port}/`, headers, seconds: SECONDS })).requestsPerSecond);
        const result = await putLoad({ url, headers, seconds: SECONDS });
        ours.push(result.requestsPerSecond);
        errors += result.errors;
      }
      rows[name] = {
        'calls/s': median(ours).toFixed(0),
        'bare object/s': median(floor).toFixed(0),
        ratio: (median(ours) / median(floor)).toFixed(2),
        errors: String(errors),
      };
      console.log(name, JSON.stringify(rows[name]));
    }
  } finally {
    await bare.dispose();
    await bundle.dispose();
  }
  console.table(rows);
  process.exit();
});
