import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { createRun } from '../../../src/areas/codexes/indexer/index-run.service.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const LATER = NOW + 86_400;
/** Smallest plan with every kind of row. */
const ENTRIES = 72;
const TIMEOUT_MS = 120_000;
const TABLES = ['entries', 'stats', 'abilities', 'links', 'requirements', 'upgrades', 'units', 'facets', 'failures'];
const filesOf = (version: 1 | 2) => codexFiles({ seed: 11, entries: ENTRIES, version });

const endpoints = await createCodexEndpoints(createDatabase(env.DB), createContentStore(env.ARCHIVE));

async function rows(table: string, branch: string): Promise<string[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM codex_${table} WHERE branch = ?`).bind(branch).all();
  // Versions of changes differ between branches.
  return results
    .filter(({ kind }) => kind !== 'change')
    .map((row) => JSON.stringify({ ...row, id: 0, branch: '', indexed_at: 0 }))
    .sort();
}

async function everything(branch: string): Promise<Record<string, string[]>> {
  return Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await rows(table, branch)] as const)));
}

/** Content hash of each entry. */
async function hashes(branch: string): Promise<Map<string, string>> {
  const { results } = await env.DB.prepare('SELECT path, content_hash AS hash FROM codex_entries WHERE branch = ?')
    .bind(branch)
    .all<{ path: string; hash: string }>();
  return new Map(results.map(({ path, hash }) => [path, hash]));
}

async function bodyOf(path: string) {
  const { status, text } = await call(`/v1/codexes/${path}`, {}, testApp({ deps: { endpoints } }));
  expect([path, status]).toEqual([path, 200]);
  return JSON.parse(text);
}

/** Runs the alarms of the index object of a branch, and evicts the object after every second step. */
async function crashThrough(branch: string, now: number): Promise<void> {
  const object = env.CODEX_INDEX.getByName(branch);
  await object.start(branch, now);
  for (let step = 0; await runDurableObjectAlarm(object); step += 1) {
    if (step % 2 === 0) continue;
    // Repeats the previous step from its start, as if its result had not been stored.
    const noted = await runInDurableObject(object, (_, { storage }) => storage.kv.get('progress'));
    await runDurableObjectAlarm(object);
    await runInDurableObject(object, async (_, { storage }) => {
      if (noted !== undefined) storage.kv.put('progress', noted);
      await storage.setAlarm(Date.now());
    });
  }
}

describe('codex indexer', () => {
  it('rewrites only changed rows, despite interruptions', { timeout: TIMEOUT_MS }, async () => {
    await storeBranch('live-us', 1, filesOf(1));
    await indexBranch('live-us', NOW);
    const before = await hashes('live-us');
    await storeBranch('live-us', 2, filesOf(2));
    await crashThrough('live-us', LATER);
    await storeBranch('pts', 1, filesOf(2));
    await indexBranch('pts', NOW);
    expect(await everything('live-us')).toEqual(await everything('pts'));

    const after = await hashes('pts');
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const expected = paths
      .filter((path) => before.get(path) !== after.get(path))
      .map((path) => [path, after.has(path) ? (before.has(path) ? 'modified' : 'added') : 'removed'])
      .sort();
    expect(expected.length).toBeGreaterThan(3);
    const changes = await bodyOf('changes?since=1&limit=200');
    expect(changes.items.map(({ path, change }: { path: string; change: string }) => [path, change]).sort()).toEqual(expected);
    expect([changes.ordinal, changes.total]).toEqual([2, expected.length]);
    expect((await bodyOf('changes?since=2')).items).toEqual([]);

    const moved = await env.DB.prepare('SELECT path FROM codex_entries WHERE branch = ? AND indexed_at = ?').bind('live-us', LATER).all();
    expect(moved.results.length).toBe(expected.filter(([, change]) => change !== 'removed').length);
    const staged = await env.DB.prepare('SELECT count(*) AS n FROM codex_staging').first<{ n: number }>();
    expect(staged?.n).toBe(0);
  });

  it('indexes a version once per parser version', { timeout: TIMEOUT_MS }, async () => {
    const object = env.CODEX_INDEX.getByName('live-us');
    expect(await object.start('live-us', LATER)).toBe('current');
    const before = await everything('live-us');
    await env.DB.prepare("UPDATE codex_branches SET parser_version = 0 WHERE branch = 'live-us'").run();
    await runInDurableObject(object, (_, { storage }) => storage.kv.put('parses_of', 0));
    expect(await object.start('live-us', LATER + 1)).toBe('started');
    while (await runDurableObjectAlarm(object)) expect(true).toBe(true);
    expect(await everything('live-us')).toEqual(before);
    const moved = await env.DB.prepare('SELECT count(*) AS n FROM codex_entries WHERE indexed_at > ?').bind(LATER).first<{ n: number }>();
    expect(moved?.n).toBe(0);
  });

  it('serves all entries of the parser version before until those of its own replace them at once', { timeout: TIMEOUT_MS }, async () => {
    const object = env.CODEX_INDEX.getByName('live-us');
    const before = await everything('live-us');
    await env.DB.prepare("UPDATE codex_entries SET name = 'Old', content_hash = 'old' WHERE branch = 'live-us'").run();
    await env.DB.prepare("UPDATE codex_branches SET parser_version = 0 WHERE branch = 'live-us'").run();
    await runInDurableObject(object, (_, { storage }) => storage.kv.put('parses_of', 0));
    expect(await object.start('live-us', LATER + 2)).toBe('started');
    const served = new Set<string>();
    do {
      const [all, old] = await Promise.all(
        ['', " AND name = 'Old'"].map((condition) =>
          env.DB.prepare(`SELECT count(*) AS n FROM codex_entries WHERE branch = 'live-us'${condition}`).first<{ n: number }>(),
        ),
      );
      served.add(`${all?.n} of which old ${old?.n}`);
    } while (await runDurableObjectAlarm(object));
    const count = before.entries?.length;
    expect([...served]).toEqual([`${count} of which old ${count}`, `${count} of which old 0`]);
    expect(await everything('live-us')).toEqual(before);
    expect(await object.start('live-us', LATER + 3)).toBe('current');
  });

  it('skips the backoff after a failed step on a manual run', async () => {
    const object = env.CODEX_INDEX.getByName('paused');
    const alarm = await runInDurableObject(object, async (index, { storage }) => {
      storage.kv.put('progress', { note: createRun('paused', 1, NOW), failures: 3 });
      await storage.setAlarm(Date.now() + 600_000);
      const states = [await index.start('paused', NOW), await index.start('paused', NOW, true)];
      expect(states).toEqual(['running', 'running']);
      const setTo = await storage.getAlarm();
      // The result of the step is irrelevant.
      storage.kv.delete('progress');
      await storage.deleteAlarm();
      return setTo;
    });
    expect(alarm ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(Date.now());
  });
});
