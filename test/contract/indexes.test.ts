import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { ENVIRONMENTS } from '../../src/areas/game-status/game-status.data.ts';
import { createGameStatusStore } from '../../src/areas/game-status/game-status.store.ts';
import type { EnvironmentStatus, GameStatus } from '../../src/areas/game-status/verdict.domain.ts';
import { createCatalogStore } from '../../src/areas/mods-catalog/catalog/catalog.store.ts';
import { listArchiveFiles, rollUpDirectories } from '../../src/areas/updates/sync/engine/sync-statements.store.ts';
import { composeApp } from '../../src/composition.ts';
import { outbox } from '../../src/platform/durable/outbox.tables.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { createContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase, runInOneTransaction } from '../../src/platform/storage/database.ts';
import { appFetch } from '../support/app-fetch.ts';
import { seedCodex } from '../support/codex/seeded-codex.ts';
import { operationOf } from '../support/documents.ts';
import { ALL_ON, ENDPOINTS } from '../support/endpoints.ts';
import { EXAMPLE_INSTANT } from '../support/example-data.ts';
import { indexesOf, listIndexes, recordStatements } from '../support/growth/recorded-statements.ts';
import { call, freshInstant } from '../support/requests.ts';
import { admittedCredential } from './conformance-checks.ts';
import { validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';

await prepare();

const settings = { current: () => ALL_ON, expected: () => ALL_ON, invalidate: () => {} };

/** Jobs that call external services, or start work of an object. */
const EXCLUDED_JOBS = /^archive-sync|^storage-sizes|^game-status|codex/;

/** Queries that the examples and enumerations of the document do not have, by operation id. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listMarketListings: ['price', 'stack', '-stack'].map((sort) => `sort=${sort}`),
  listMods: ['tag=ui&q=wings'],
  listModpacks: ['stars', 'new', 'title'].map((sort) => `sort=${sort}`),
  listIngests: ['endpoint=market', 'success=true'],
};

/** Values to send for each query parameter, one at a time: every documented one, or the example. */
function queriesOf(endpoint: Endpoint): string[] {
  const documented = operationOf(endpoint)
    .parameters.filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => {
      const { enum: listed, example } = (schema ?? {}) as { enum?: unknown[]; example?: unknown };
      const values = listed ?? (schema?.type === 'boolean' ? [true, false] : example === undefined ? [] : [example]);
      return values.map((value) => String(new URLSearchParams({ [name]: String(value) })));
    });
  return [...documented, ...(QUERIES[endpoint.spec.operationId] ?? [])];
}

/** Sends the valid request of every endpoint, and those of its queries. */
async function requestAll(): Promise<void> {
  const isRead = ({ spec }: Endpoint) => spec.method === 'get';
  const endpoints = ENDPOINTS.filter(({ spec }) => !spec.streams);
  for (const endpoint of [...endpoints.filter(isRead), ...endpoints.filter((one) => !isRead(one))]) {
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const { path, options } = await validRequest(endpoint);
    const [address = '', given = ''] = path.split('?');
    const fetch = appFetch(createApp({ ...composeApp(env), settings }));
    for (const query of ['', ...(isRead(endpoint) ? queriesOf(endpoint) : [])]) {
      const parameters = new URLSearchParams([...new URLSearchParams(given), ...new URLSearchParams(query)]);
      const { status } = await call(`${address}?${parameters}`, { ...options, authorization }, fetch);
      expect(status, `${endpoint.spec.operationId} ${query}`).toBeLessThan(500);
    }
  }
}

async function runJobs(): Promise<void> {
  const { scheduler } = composeApp(env);
  const now = freshInstant();
  for (const { name, sources } of await scheduler.status(now)) {
    if (sources.length > 0 || EXCLUDED_JOBS.test(name)) continue;
    await (await scheduler.start(name, now))?.work;
  }
}

/** Runs the statements of syncs, builds and probes, which need external services as jobs. */
async function runOtherWork(): Promise<void> {
  const db = createDatabase(env.DB);
  await seedCodex(db, createContentStore(env.ARCHIVE), 'pts', EXAMPLE_INSTANT);
  await listArchiveFiles(db, 'pts', 'prefabs');
  const write = async (statements: readonly SQL[]) => void (await runInOneTransaction(db, statements));
  await rollUpDirectories({ db, branch: 'pts', ordinal: 1, write });
  const down: EnvironmentStatus = { status: 'down', online: false, game: null };
  const environments = Object.fromEntries(ENVIRONMENTS.map((name) => [name, down])) as GameStatus['environments'];
  const queueOutage = () => db.delete(outbox).where(sql`false`);
  const round = { overall: 'down' as const, auth: null, environments, checkedAt: EXAMPLE_INSTANT };
  await createGameStatusStore(db, db, queueOutage).save(round, 60);
  // An image that no mod has may be one of a pack.
  await createCatalogStore(db).findPublicImage('0');
}

describe('indexes of the database', () => {
  let texts = new Set<string>();
  beforeAll(async () => {
    texts = await recordStatements(async () => {
      await requestAll();
      await runJobs();
      await runOtherWork();
    });
  }, 600_000);

  it('are each used by a plan of a statement of the service', async () => {
    const used = await indexesOf(texts);
    const unused = (await listIndexes()).filter(({ name }) => !used.has(name));
    expect(unused.map(({ name, table }) => `${table}: ${name}`)).toEqual([]);
  });
});
