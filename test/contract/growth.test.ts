import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { READS, READS_COPIES, READS_TOLERANCE, type Reads } from '../scale/reads.data.ts';
import { appFetch } from '../support/app-fetch.ts';
import { fixedSettings } from '../support/declarations.ts';
import { ALL_ON, ENDPOINTS } from '../support/endpoints.ts';
import { withoutEqualPreviews } from '../support/equal-previews.ts';
import { type Cost, costOf, growthOf, MAX_GROWTH, readsNothing } from '../support/growth/cost.ts';
import { multiplyTables, seedEmptyTables } from '../support/growth/multiply-tables.ts';
import { indexesOf, listIndexes, recordStatements } from '../support/growth/recorded-statements.ts';
import { call, freshInstant } from '../support/requests.ts';
import { admittedCredential } from './conformance-checks.ts';
import { DECLARED_GROWTH } from './growth.data.ts';
import { validRequest } from './inputs.ts';
import { requestQueries, runOtherWork } from './other-statements.ts';
import { prepare } from './prepare.ts';

await prepare();

/**
 * Copies of each row in the stores, each compared with the one before. The smallest fills a page of every list. `test:long` compares three.
 */
const COPIES = ((env as { GROWTH_COPIES?: string }).GROWTH_COPIES ?? '200,1000').split(',').map(Number);

/** Requests with other parameters than the example, by operation id. */
const VARIANTS: readonly [operationId: string, query: string][] = [
  ['listMods', 'tag=quality of life'],
  ['listDuplicateNames', 'kind=case'],
  ['getActivitySeries', 'period=all'],
  ['getClassActivitySeries', 'period=all'],
];
/** They delete what the other requests read. */
const EXCLUDED = ['resetMarket', 'deleteAccount'];
/** Jobs that call external services, or start work of an object. */
const EXCLUDED_JOBS = /^archive-sync|^storage-sizes|^game-status|codex/;

const settings = fixedSettings(ALL_ON);

/** The cost of a valid request in an isolate without cached data. `query`: other parameters. */
async function costOfRequest(endpoint: Endpoint, query?: string): Promise<Cost> {
  const credential = await admittedCredential(endpoint);
  const { path: example, options } = await validRequest(endpoint);
  const path = query === undefined ? example : `${example.split('?')[0]}?${new URLSearchParams(query)}`;
  const fetch = appFetch(createApp({ ...composeApp(env), settings }));
  return costOf(async () => {
    const { status, bytes } = await call(path, { ...options, authorization: credential?.authorization ?? null }, fetch);
    // The copies fill some stores up to their bound.
    const isFull = status === 503 && endpoint.spec.errors?.includes('service_unavailable');
    expect(isFull ? 429 : status, `${endpoint.spec.operationId} ${query ?? ''}`).toBeLessThan(500);
    return bytes.byteLength;
  });
}

/**
 * The cost of every request and job, by operation id, or by `job` and name: reads first, because writes change what they read. `before`: the
 * costs in a smaller store. A request that reads nothing there has the same cost here.
 */
async function measureAll(before: ReadonlyMap<string, Cost> | null): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  const endpoints = withoutEqualPreviews(ENDPOINTS).filter(({ spec }) => !spec.streams && !EXCLUDED.includes(spec.operationId));
  const isRead = ({ spec }: Endpoint) => spec.method === 'get';
  async function measureRequest(endpoint: Endpoint): Promise<void> {
    const { operationId } = endpoint.spec;
    const known = before?.get(operationId);
    costs.set(operationId, known && readsNothing(known) ? known : await costOfRequest(endpoint));
  }
  for (const endpoint of endpoints.filter(isRead)) await measureRequest(endpoint);
  for (const [operationId, query] of VARIANTS) {
    const endpoint = ENDPOINTS.find(({ spec }) => spec.operationId === operationId);
    if (!endpoint) throw new Error(`no operation ${operationId}`);
    costs.set(`${operationId}?${query}`, await costOfRequest(endpoint, query));
  }
  const { scheduler } = composeApp(env);
  const now = freshInstant();
  for (const { name, sources } of await scheduler.status(now)) {
    if (sources.length > 0 || EXCLUDED_JOBS.test(name)) continue;
    const run = async () => {
      await (await scheduler.start(name, now))?.work;
      return 0;
    };
    costs.set(`job ${name}`, await costOf(run));
  }
  for (const endpoint of endpoints.filter((one) => !isRead(one))) await measureRequest(endpoint);
  return costs;
}

/** Sends every write once, so that the tables have rows to copy. */
async function writeOnce(): Promise<void> {
  for (const endpoint of ENDPOINTS) {
    const { method, streams, operationId } = endpoint.spec;
    if (method !== 'get' && !streams && !EXCLUDED.includes(operationId)) await costOfRequest(endpoint);
  }
}

/** Prints the cost of every request and job in `test:long`, which has a printer. */
async function print(copies: number, costs: ReadonlyMap<string, Cost>): Promise<void> {
  const printer: string | undefined = inject('processorTime');
  if (printer === undefined) return;
  const lines = [...costs].map(
    ([name, { rows, statements, kv, r2, bytes }]) => `GROWTH ${copies} | ${name} | ${rows} | ${statements} | ${kv} | ${r2} | ${bytes}`,
  );
  const head = 'GROWTH copies | request or job | rows | statements | KV | R2 | bytes';
  await fetch(printer, { method: 'POST', body: `${[head, ...lines].join('\n')}\n` });
}

const reasonOf = (name: string) => DECLARED_GROWTH.find(({ names }) => names.test(name));

const rows: { name: string; growth: number; small: Cost; large: Cost }[] = [];
let empty: string[] = [];
/** The statements of all requests and jobs, which both descriptions below are about. */
const statements = new Set<string>();

async function recorded<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Promise<Result> | undefined;
  const texts = await recordStatements(() => {
    result = work();
    return result;
  });
  for (const text of texts) statements.add(text);
  return result as Promise<Result>;
}

beforeAll(async () => {
  await recorded(writeOnce);
  let filled = 0;
  let before: Map<string, Cost> | null = null;
  for (const copies of COPIES) {
    // The jobs of the round before deleted what expired.
    await seedEmptyTables();
    empty = await multiplyTables(filled + 1, copies);
    filled = copies;
    const costs = await recorded(() => measureAll(before));
    await print(copies, costs);
    for (const [name, large] of before === null ? [] : costs) {
      const small = before?.get(name) ?? large;
      rows.push({ name, growth: growthOf(small, large), small, large });
    }
    before = costs;
  }
  // Captures without an object: a request for a player reads them one by one.
  await env.DB.prepare(
    'DELETE FROM board_captures WHERE anchor NOT IN (SELECT anchor FROM board_captures ORDER BY anchor DESC LIMIT 5)',
  ).run();
  // They change what the measured requests read.
  await recorded(async () => {
    await requestQueries(EXCLUDED);
    await runOtherWork();
  });
}, 3_000_000);

describe('what a request or a job reads', () => {
  it('does not grow with what is stored, unless a reason is declared', () => {
    const grown = rows.filter(({ growth }) => growth > MAX_GROWTH);
    const text = ({ name, small, large }: (typeof rows)[number]) => `${name}: ${JSON.stringify(small)} -> ${JSON.stringify(large)}`;
    expect(grown.filter(({ name }) => !reasonOf(name)).map(text)).toEqual([]);
  });

  it('is measured with rows in every table', () => {
    expect(empty).toEqual([]);
  });

  it('is what the model of the bill assumes', () => {
    // The model has the smaller store of `npm test`; `test:long` starts with another.
    if (COPIES[0] !== READS_COPIES) return;
    const measured = new Map(
      rows.toReversed().map(({ name, small }): [string, Reads] => [name, { rows: small.rows, kv: small.kv, r2: small.r2 }]),
    );
    const isOff = (amount: number, model: number) => Math.abs(amount - model) > model * READS_TOLERANCE.share + READS_TOLERANCE.amount;
    const off = Object.entries(READS).filter(([name, model]) => {
      const found = measured.get(name);
      return !found || (['rows', 'kv', 'r2'] as const).some((meter) => isOff(found[meter], model[meter]));
    });
    expect(off.map(([name]) => `${name}: ${JSON.stringify(measured.get(name))}`)).toEqual([]);
  });

  it('has no declaration without an endpoint or job', () => {
    const used = new Set(rows.map(({ name }) => reasonOf(name)));
    expect(DECLARED_GROWTH.filter((entry) => !used.has(entry)).map(({ names }) => String(names))).toEqual([]);
  });
});

describe('indexes of the database', () => {
  it('are each used by a plan of a statement of the service', async () => {
    const used = await indexesOf(statements);
    const unused = (await listIndexes()).filter(({ name }) => !used.has(name));
    expect(unused.map(({ name, table }) => `${table}: ${name}`)).toEqual([]);
  });
});
