import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import { validRequest } from '../contract/inputs.ts';
import { prepare } from '../contract/prepare.ts';
import { appFetch } from '../support/app-fetch.ts';
import { countedDatabase, type StatementCounts } from '../support/d1/counted-database.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { bearer, call, freshInstant } from '../support/requests.ts';
import { COMPUTED_ROTATIONS } from '../support/rotations.ts';
import { createToken } from '../support/tokens.ts';

await prepare();

/** Routes that clients poll, served from the isolate's memory. */
const HOT = [
  ...COMPUTED_ROTATIONS.map(({ path }) => path),
  '/v1/rotations/calendar',
  '/v1/rotations/challenge/current',
  '/v1/rotations/chaos-chest',
  '/v1/feeds/news',
  '/v1/misc/game-status',
];

/** Prints with `console.info`, because `console.log` is silenced. */
const print = (text: string) => console.info(text);

const PUBLIC_KINDS = ['open', 'token', 'tokenless', 'optional-token', 'public'];

/** `--silent=false` prints the table. */
it('runs no D1 statement on the hot path and few on every public endpoint', async () => {
  const { binding, take } = countedDatabase();
  const fetch = appFetch(createApp(composeApp({ ...env, DB: binding })));
  const secret = await createToken();
  const rows: { route: string; status: number; first: StatementCounts; again: StatementCounts }[] = [];
  const routes = ENDPOINTS.filter(({ spec }) => PUBLIC_KINDS.includes(spec.access.kind) && spec.surface !== 'portal' && !spec.streams);
  // Loads the token and the settings into the isolate.
  await call('/v1/rotations/server-time', { authorization: bearer(secret) }, fetch);
  take();
  for (const endpoint of routes) {
    const { path, options } = await validRequest(endpoint);
    const now = freshInstant();
    const ask = async () => {
      const { status } = await call(path, { ...options, authorization: bearer(secret), now }, fetch);
      return { status, counts: take() };
    };
    const first = await ask();
    const again = await ask();
    rows.push({ route: titleOf(endpoint), status: again.status, first: first.counts, again: again.counts });
  }
  const text = ({ primary, replica }: StatementCounts) => `${String(primary).padStart(4)} ${String(replica).padStart(4)}`;
  print('D1 statements per request, at the primary and at a replica, for the first request of an isolate and the next\n');
  print('| route | first: primary replica | next: primary replica |');
  print('|---|---|---|');
  for (const { route, first, again } of rows) print(`| ${route} | ${text(first)} | ${text(again)} |`);
  const sum = rows.reduce((total, { again }) => total + again.primary + again.replica, 0);
  print(
    `\n${rows.length} routes, ${rows.filter(({ again }) => again.primary + again.replica === 0).length} without a statement, ${(sum / rows.length).toFixed(1)} statements per request`,
  );

  expect(rows.length).toBeGreaterThan(100);
  const hot = rows.filter(({ route }) => HOT.some((path) => route === `GET ${path}`));
  expect(hot).toHaveLength(HOT.length);
  for (const { route, again } of hot) expect(again, route).toEqual({ primary: 0, replica: 0 });
});
