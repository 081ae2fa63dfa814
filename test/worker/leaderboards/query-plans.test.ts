import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ingestWorkOf } from '../../../src/areas/leaderboards/ingest/ingest-work.service.ts';
import { composeApp } from '../../../src/composition.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { clearMarket, idAt } from '../market/market.ts';
import { testApp } from '../platform/test-app.ts';
import { boardLine, dumpForm, dumpOf } from './dumps.ts';
import { receive } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;
const NOW = TUESDAY + 2 * DAY;
/** Growing tables and their aliases in statements. `market_items` is small and is read completely. */
const LARGE = [
  ...['board_captures', 'capture_boards', 'boards', 'activity_captures', 'activity_sets', 'giveaways', 'giveaway_entries'],
  ...['class_activity_captures', 'class_activity_sets', 'market_listings', 'ingest_log', 'b', 'c', 'm', 'l', 'g', 'e'],
];

const { database, statements } = recordingDatabase();
const bindings = { DB: database };
const app = testApp({ bindings, settings: { publicAnonRateLimitMax: 10_000 } });
const master = bearer(await createSuperuserToken());
const reader = bearer(await createToken());

async function request(path: string, options: CallOptions = {}) {
  const { status, text } = await call(path, { authorization: reader, now: NOW, ...options }, app);
  expect([path, status < 400, text]).toEqual([path, true, text]);
  return text === '' ? {} : JSON.parse(text);
}

const post = (path: string, json: unknown, authorization = master) => request(path, { method: 'POST', authorization, json });

/** Inserts two captures, notifies all listeners, computes the report and packs. */
async function ingestCaptures(): Promise<void> {
  const work = ingestWorkOf(composeApp({ ...env, ...bindings }).context);
  for (const [day, name] of ['first', 'second', 'third'].entries()) {
    const rows = Array.from({ length: 30 }, (_, index) => [`Player ${index}`, 1000 - index + day] as const);
    const anchor = TUESDAY + day * DAY;
    const task = await receive(
      dumpOf(boardLine(1, rows), boardLine(20, rows), boardLine(1000, rows), boardLine(31_000, rows)),
      anchor,
      name,
    );
    await work.ingest(task);
    await work.notify(anchor);
    await work.report();
  }
  await work.pack({ kind: 'players', anchors: [TUESDAY] });
  await work.pack({ kind: 'boards', anchors: [TUESDAY] });
  // The replacement of a capture is not in a pack.
  await work.ingest(await receive(dumpOf(boardLine(1, [['Player 1', 5]])), TUESDAY, 'again', { isBackfill: true }));
}

async function readLeaderboards(): Promise<void> {
  const at = `created_at=${TUESDAY + DAY}`;
  for (const path of ['timestamps', 'records', 'cheaters', '1', '1/history', '1/health', 'players/Player%201/history']) {
    await request(`/v1/leaderboards/${path}`);
  }
  for (const path of [`?${at}`, `/1/entries?${at}&offset=3`, `/31000/entries?${at}`, '/players/Player%201/history?uuid=1']) {
    await request(`/v1/leaderboards${path}`);
  }
  for (const path of ['series', 'profile', 'boards']) await request(`/v1/leaderboards/players/Player%201/${path}`);
  await request('/admin/leaderboards/dumps', { authorization: master });
  for (const query of ['', '?endpoint=leaderboards', '?success=true', '?endpoint=market&success=false&cursor=WzFd']) {
    await request(`/admin/ingest/log${query}`, { authorization: master });
  }
}

async function requestMarket(): Promise<void> {
  await clearMarket();
  const lines = Array.from(
    { length: 20 },
    (_, serial) => `${idAt(NOW - serial * HOUR, serial)};Sun Sap;;${serial + 1};${(serial + 1) * 10}`,
  );
  const { body, headers } = await dumpForm(lines.join('\n'));
  for (const now of [NOW, NOW + HOUR])
    await request('/v1/market/insert', { method: 'POST', authorization: bearer(await createSuperuserToken()), body, headers, now });
  for (const sort of ['last_seen', 'price_each', 'created_at', 'price', 'stack', 'name']) {
    for (const query of [`sort=-${sort}`, `sort=${sort}&hide_expired=false`, `sort=${sort}&name=Sun%20Sap&price_min=1&last_seen_after=5`]) {
      await request(`/v1/market/listings?limit=3&${query}`);
    }
  }
  await request('/v1/market/items');
  for (const path of ['summary', 'history', 'history?include_expired=true', 'timeline'])
    await request(`/v1/market/items/Sun%20Sap/${path}`);
}

async function readActivity(): Promise<void> {
  await request('/v1/activity/current');
  await request('/v1/activity/history?days=30');
  await request('/v1/class-activity/current');
  for (const period of ['7d', 'all']) await request(`/v1/class-activity/series?period=${period}`);
  for (const period of ['1d', '7d', '1y', 'all']) await request(`/v1/activity/series?period=${period}`);
}

async function requestGiveaways(): Promise<void> {
  const terms = { title: 'Spring', prize_name: 'Egg', prize_code: 'CODE', starts_at: NOW, ends_at: NOW + HOUR };
  const { id } = await post('/admin/giveaways', terms);
  const later = await post('/admin/giveaways', { ...terms, starts_at: NOW + HOUR, ends_at: NOW + DAY });
  const { credential } = await createSession();
  await request(`/giveaways/${id}/entries`, { method: 'POST', authorization: bearer(credential) });
  await request('/giveaways/mine', { authorization: bearer(credential) });
  await request(`/admin/giveaways/${later.id}`, { method: 'PATCH', authorization: master, json: { title: 'Summer' } });
  await request(`/admin/giveaways/${later.id}/cancel`, { method: 'POST', authorization: master });
  await request(`/admin/giveaways/${id}/close`, { method: 'POST', authorization: master });
  for (const path of ['ongoing', 'upcoming', 'ended']) await request(`/v1/giveaways/${path}`);
  for (const query of ['', '?status=open']) await request(`/admin/giveaways${query}`, { authorization: master });
}

/** Reading the first rows in the order of a key is not a scan. */
const isOrderedRead = (scan: string) => / order by .* limit \?$/.test(scan) && !scan.includes(' where ');

describe('query plans of leaderboards, market, activity and giveaways', () => {
  it('never scan a large table', async () => {
    await ingestCaptures();
    await readLeaderboards();
    await requestMarket();
    await readActivity();
    await requestGiveaways();
    for (const job of ['leaderboards-retention', 'market-raw-prune', 'giveaways-step', 'activity-refresh', 'activity-prune']) {
      await call(`/admin/jobs/${job}/run`, { method: 'POST', authorization: master, now: NOW + 60 * DAY }, app);
    }
    expect(statements.size).toBeGreaterThan(80);
    const scans = (await scansOf(statements, LARGE)).map((scan) => scan.replaceAll(/\s+/g, ' '));
    expect(scans.filter((scan) => !isOrderedRead(scan))).toEqual([]);
  });
});
