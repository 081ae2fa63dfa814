import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLocalState, openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { isStateMigrated } from '../../scripts/lib/dev/wrangler-setup.ts';
import { listApplied, listMigrations } from '../../scripts/lib/migrations.ts';

let folder: string;
let state: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-state-'));
  state = join(folder, 'state', 'v3');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Creates state of a checkout with other migrations and a table of the same name. */
async function createOldState(): Promise<void> {
  const { binding, dispose } = await openLocalState(state);
  await binding.batch([
    binding.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP)'),
    binding.prepare("INSERT INTO d1_migrations (name) VALUES ('0000_initial.sql'), ('0001_feeds.sql')"),
    binding.prepare('CREATE TABLE mods (id INTEGER PRIMARY KEY)'),
  ]);
  await dispose();
}

describe('openMigratedState', () => {
  it('applies every migration once when it is opened twice', async () => {
    for (let run = 1; run <= 2; run += 1) {
      const { binding, dispose } = await openMigratedState(state);
      expect(await listApplied(binding)).toEqual(listMigrations());
      await dispose();
    }
    expect(readdirSync(folder)).toEqual(['state']);
  });

  it('moves state with unknown migrations to another folder, logs one line and starts with an empty database', async () => {
    await createOldState();
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { binding, dispose } = await openMigratedState(state);
    const applied = await listApplied(binding);
    await dispose();
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(applied).toEqual(listMigrations());
    expect(lines).toEqual([expect.stringMatching(/^The local database is from another version\. It was moved to .*state\.old-\d{14};/)]);
    const [old] = readdirSync(folder).filter((name) => name.startsWith('state.old-'));
    expect(existsSync(join(folder, old ?? '', 'v3', 'd1'))).toBe(true);
  });
});

describe('isStateMigrated', () => {
  it('is true only for a database with exactly the migrations of the checkout', async () => {
    expect(isStateMigrated(state)).toBe(false);
    await createOldState();
    expect(isStateMigrated(state)).toBe(false);
    vi.spyOn(console, 'log').mockImplementation(() => {});
    await (await openMigratedState(state)).dispose();
    expect(isStateMigrated(state)).toBe(true);
  });
});
