import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { BUNDLE_FOLDER, buildBundle } from '../lib/build-bundle.ts';
import { readModules } from '../lib/bundle.ts';
import { productionVars, WRANGLER_CONFIG } from '../lib/config.ts';
import { runMain, UserError } from '../lib/main.ts';
import { median } from '../lib/measure/quantiles.ts';
import { runtimeProcessorMs } from '../lib/measure/runtime-process.ts';

const ROUNDS = 7;

interface Case {
  name: string;
  /** Maximum CPU in multiples of an empty Worker; null: no target. */
  target: number | null;
  /** Source of the entry module, which can import the bundle as `./index.js`. */
  entry: string;
  usesBundle: boolean;
  /** Binds the Durable Objects. Default: `usesBundle`. */
  hasObjects?: boolean;
}

/** The object classes of the bundle, without content. */
const EMPTY_CLASSES = `import { DurableObject } from 'cloudflare:workers';
  ${classNames()
    .map((name) => `export class ${name} extends DurableObject {}`)
    .join('\n')}
  export default { fetch: () => new Response('ok') };`;

/** Calls one method of an object: its isolate runs no request of the service. */
const objectCase = (name: string, call: string): Case => ({
  name: `object: ${name}`,
  target: 1.6,
  entry: `export * from './index.js';
    export default { async fetch(request, env) { await ${call}; return new Response('ok'); } };`,
  usesBundle: true,
});

/** The storage bindings of the local runtime start Workers of their own, so the service gets an empty database instead. */
const EMPTY_DATABASE = `
  const result = { success: true, results: [], meta: {} };
  const statement = { bind: () => statement, all: async () => result, run: async () => result, raw: async () => [], first: async () => null };
  const DB = { prepare: () => statement, batch: async (list) => list.map(() => result), getBookmark: () => null, withSession: () => DB };`;

const CASES: readonly Case[] = [
  { name: 'empty Worker', target: null, entry: "export default { fetch: () => new Response('ok') };", usesBundle: false },
  { name: 'empty Worker with empty object classes', target: null, entry: EMPTY_CLASSES, usesBundle: false, hasObjects: true },
  objectCase('service status', "env.SERVICE_STATUS.getByName('a').read()"),
  objectCase('token gate', "env.TOKEN_GATES.getByName('a').releaseSlot('a')"),
  objectCase('leaderboard ingest', "env.BOARDS_INGEST.getByName('a').isIdle()"),
  objectCase('event shard', "env.EVENT_SHARDS.getByName('a').endStreamsOf('a')"),
  {
    name: 'service: GET /v1/rotations/server-time',
    target: 4,
    entry: `import service from './index.js';
      export * from './index.js';
      ${EMPTY_DATABASE}
      export default { fetch: (request, env, ctx) => service.fetch(request, { ...env, DB }, ctx) };`,
    usesBundle: true,
  },
];

function declaredObjects() {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG);
  return workerOptions.durableObjects as Record<string, { className: string; useSQLite: boolean }>;
}

function classNames(): string[] {
  return Object.values(declaredObjects()).map(({ className }) => className);
}

async function start({ entry, usesBundle, hasObjects = usesBundle }: Case, folder: string): Promise<Miniflare> {
  const worker = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions;
  const modules = [
    { type: 'ESModule' as const, path: join(folder, 'entry.js'), contents: entry },
    ...(usesBundle ? readModules(folder) : []),
  ];
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name: 'startup',
      rootPath: folder,
      modulesRoot: folder,
      modules,
      compatibilityDate: worker.compatibilityDate as string,
      compatibilityFlags: worker.compatibilityFlags as string[],
      ...(hasObjects ? { durableObjects: declaredObjects() } : {}),
      ...(usesBundle ? { bindings: { ...productionVars(), LOG_SAMPLE: '0' } } : {}),
      host: '127.0.0.1',
      port: 0,
      cf: false,
      logRequests: false,
    }),
  );
  await mf.ready;
  return mf;
}

/** CPU milliseconds of a new runtime until the first response. */
async function measure(startupCase: Case, folder: string): Promise<number> {
  const mf = await start(startupCase, folder);
  try {
    const response = await fetch(new URL('/v1/rotations/server-time', await mf.ready), { headers: { 'CF-Connecting-IP': '192.0.2.1' } });
    const text = await response.text();
    if (response.status !== 200) throw new UserError(`${startupCase.name}: ${response.status} ${text.slice(0, 300)}`);
    const cpu = runtimeProcessorMs();
    if (cpu === null) throw new UserError('CPU time can only be measured on Linux.');
    return cpu;
  } finally {
    await mf.dispose();
  }
}

/**
 * `npm run bench -- startup`: CPU until the first response of a cold isolate, in multiples of an empty Worker. Fails above a target.
 * `--reuse` measures the `dist/` of an earlier build, `--against DIST` that of another checkout.
 */
await runMain(async () => {
  const at = process.argv.indexOf('--against');
  const folder = at < 0 ? BUNDLE_FOLDER : (process.argv[at + 1] ?? '');
  if (at < 0 && !process.argv.includes('--reuse')) await buildBundle();
  const samples = CASES.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, startupCase] of CASES.entries()) samples[index]?.push(await measure(startupCase, folder));
  }
  const base = median(samples[0] ?? []);
  console.log('| isolate | CPU ms, median of 7 | multiple | target |\n|---|---|---|---|');
  for (const [index, { name, target }] of CASES.entries()) {
    const cpu = median(samples[index] ?? []);
    const multiple = cpu / base;
    if (target !== null && multiple > target) process.exitCode = 1;
    console.log(`| ${name} | ${cpu.toFixed(0)} | ${multiple.toFixed(2)} | ${target === null ? '' : `at most ${target}`} |`);
  }
});
