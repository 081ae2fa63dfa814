import { startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { runtimeProcessorSeconds } from '../lib/measure/runtime-process.ts';

const ROUNDS = 60;
const WARM_UP = 10;
/** CPU limit of one request on the free plan, in milliseconds. */
const FREE_CPU_MS = 10;
const EMAIL = 'bench@example.test';
const PASSWORD = 'correct horse battery staple';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="#101826"/><text x="20" y="70" font-size="32" fill="#fff">{name}</text></svg>';

interface Case {
  name: string;
  path: string;
  init?: RequestInit;
  rounds?: number;
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/**
 * `npm run bench -- cpu`: compares the CPU time per request of each route with the free plan's limit. The local runtime includes
 * Durable Objects and D1, so the figures are an upper bound of the Worker's CPU time.
 */
await runMain(async () => {
  const vars = {
    ENVIRONMENT: 'development',
    RATE_LIMIT_MULTIPLIER: '10000',
    LOG_SAMPLE: '0',
    BREACHED_PASSWORDS_URL: '',
    SESSION_SECRET: 'a secret of the benchmark, 32 or more',
    SUPERUSER_EMAIL: EMAIL,
    SUPERUSER_PASSWORD: PASSWORD,
  };
  const bundle = await startBundle({ reuseBuild: process.argv.includes('--reuse'), vars });
  try {
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(bundle.url + path, init);
      await response.arrayBuffer();
      return response.status;
    };
    const before = runtimeProcessorSeconds();
    await ask('/health');
    console.log(`first request of an isolate: ${((runtimeProcessorSeconds() - before) * 1000).toFixed(0)} ms (start-up included)`);
    const login = await fetch(`${bundle.url}/auth/login`, json({ email: EMAIL, password: PASSWORD }));
    const session = { Authorization: `Bearer ${((await login.json()) as { access_token: string }).access_token}` };
    const token = { Authorization: `Bearer ${await bundle.mintToken()}` };
    console.log('| route | status | CPU ms per request | within 10 ms |\n|---|---|---|---|');
    for (const { name, path, init, rounds = ROUNDS } of casesFor(session, token)) {
      for (let round = 0; round < WARM_UP; round += 1) await ask(path, init);
      const started = runtimeProcessorSeconds();
      let status = 0;
      for (let round = 0; round < rounds; round += 1) status = await ask(path, init);
      const milliseconds = ((runtimeProcessorSeconds() - started) * 1000) / rounds;
      console.log(`| ${name} | ${status} | ${milliseconds.toFixed(1)} | ${milliseconds <= FREE_CPU_MS ? 'yes' : 'no'} |`);
    }
    const worker = await bundle.mf.getWorker();
    const started = runtimeProcessorSeconds();
    await worker.scheduled({ cron: '* * * * *' });
    console.log(`one minute of the cron trigger: ${((runtimeProcessorSeconds() - started) * 1000).toFixed(0)} ms`);
  } finally {
    await bundle.dispose();
  }
});

function casesFor(session: Record<string, string>, token: Record<string, string>): Case[] {
  return [
    { name: 'GET /health', path: '/health' },
    { name: 'GET /v1/rotations/server-time', path: '/v1/rotations/server-time' },
    { name: 'GET /v1/rotations/calendar', path: '/v1/rotations/calendar' },
    { name: 'GET /v1/snapshot', path: '/v1/snapshot' },
    { name: 'GET /v1/status', path: '/v1/status' },
    { name: 'GET /v1/codexes/types (empty archive)', path: '/v1/codexes/types' },
    { name: 'GET /v1/market/listings (no listings)', path: '/v1/market/listings', init: { headers: token } },
    { name: 'GET /v1/gems/lookups', path: '/v1/gems/lookups', init: { headers: token } },
    { name: 'POST /v1/gems/builds/health-optimizer', path: '/v1/gems/builds/health-optimizer', init: json({}, token) },
    { name: 'GET /openapi.json (built)', path: '/openapi.json' },
    { name: 'POST /auth/login (scrypt)', path: '/auth/login', init: json({ email: EMAIL, password: PASSWORD }), rounds: 20 },
    {
      name: 'POST /v1/webhooks/designs/preview (drawing)',
      path: '/v1/webhooks/designs/preview',
      init: json({ event: 'challenge', svg: SVG }, session),
      rounds: 20,
    },
  ];
}
