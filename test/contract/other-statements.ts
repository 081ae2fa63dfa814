import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { createApp } from '../../src/app.ts';
import { ENVIRONMENTS } from '../../src/areas/game-status/game-status.data.ts';
import { createGameStatusStore } from '../../src/areas/game-status/game-status.store.ts';
import type { EnvironmentStatus, GameStatus } from '../../src/areas/game-status/status.domain.ts';
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
import { call } from '../support/requests.ts';
import { admittedCredential } from './conformance-checks.ts';
import { validRequest } from './inputs.ts';

const settings = { current: () => ALL_ON, expected: () => ALL_ON, invalidate: () => {} };

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

/** Sends the requests of every query of a read, and the valid request of `others`, in isolates without cached data. */
export async function requestQueries(others: readonly string[]): Promise<void> {
  for (const endpoint of ENDPOINTS.filter(({ spec }) => !spec.streams)) {
    const { method, operationId } = endpoint.spec;
    const queries = [...(method === 'get' ? queriesOf(endpoint) : []), ...(others.includes(operationId) ? [''] : [])];
    if (queries.length === 0) continue;
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const { path, options } = await validRequest(endpoint);
    const [address = '', given = ''] = path.split('?');
    const fetch = appFetch(createApp({ ...composeApp(env), settings }));
    for (const query of queries) {
      const parameters = new URLSearchParams([...new URLSearchParams(given), ...new URLSearchParams(query)]);
      const { status } = await call(`${address}?${parameters}`, { ...options, authorization }, fetch);
      expect(status, `${operationId} ${query}`).toBeLessThan(500);
    }
  }
}

/** Runs the statements of syncs, builds and probes, which need external services as jobs. */
export async function runOtherWork(): Promise<void> {
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
