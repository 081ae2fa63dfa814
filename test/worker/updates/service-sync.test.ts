import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdateEventSources } from '../../../src/areas/updates/index.ts';
import { createAnnouncementsStore } from '../../../src/areas/updates/sync/announcements.store.ts';
import { createArchiveSync } from '../../../src/areas/updates/sync/archive-sync.object.ts';
import { createSyncEngine } from '../../../src/areas/updates/sync/engine/engine.service.ts';
import { SERVICE_LIMITS } from '../../../src/areas/updates/sync/engine/limits.data.ts';
import { createD1SyncStore } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import { createAnnouncer, createUpdateJobs, type NewVersion } from '../../../src/areas/updates/sync/updates.jobs.ts';
import { type Build, type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { memorySource } from '../../support/archive/memory-source.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { memoryRunnerStorage } from '../../support/runner-storage.ts';
import { findViolations } from './invariants.ts';
import { contents, db, emptyArchive, NOW, rows, storeOf, sync, textsOf, treeAt } from './world.ts';

const FIRST: BuildParts = { versionTag: 'V-1', loose: { 'a.txt': 'A' }, packed: { d: [{ x: 'X' }, { y: 'Y' }], e: [{ z: 'Z' }] } };
const SECOND: BuildParts = { versionTag: 'V-2', contentPath: 'branch/build-2', loose: { 'a.txt': 'A2' }, packed: { d: [{ x: 'X' }] } };

/** Sync of a branch as run by its object, with manually triggered alarms. */
function serviceWorld() {
  const storage = memoryRunnerStorage();
  const world = {
    storage,
    build: makeBuild(FIRST) as Build | null,
    isEnabled: true,
    /** Error of the next downloads. */
    fault: null as Error | null,
    hookFault: null as Error | null,
    news: [] as NewVersion[],
    /** Branches that the second hook was called with. */
    secondHook: [] as string[],
    events: [] as [string, number][],
    /** Seconds until the alarm; null if none is set. */
    get alarm(): number | null {
      return storage.alarmAt.value === null ? null : Math.max(0, storage.alarmAt.value / 1000 - this.real);
    },
    real: 5_000_000_000,
  };
  const announcements = createAnnouncementsStore(db);
  const announcer = createAnnouncer({
    announcements,
    events: { changed: async (type, now) => void world.events.push([type, now]) },
    hooks: [
      async (news) => {
        if (world.hookFault && news.branch === 'live-us') throw world.hookFault;
        world.news.push(news);
      },
      async ({ branch }) => void world.secondHook.push(branch),
    ],
  });
  const memory = memorySource(() => world.build);
  const source = {
    ...memory,
    openFile: (...request: Parameters<typeof memory.openFile>) => (world.fault ? Promise.reject(world.fault) : memory.openFile(...request)),
  };
  /** New instance of the object with the same storage, as after a crash. */
  const object = () =>
    createArchiveSync({
      engine(branch) {
        const store = createD1SyncStore({ db, branch, holder: 'service' });
        return { store, engine: createSyncEngine({ source, store, contents, limits: SERVICE_LIMITS }) };
      },
      isEnabled: async () => world.isEnabled,
      announcer,
      storage,
      nowMs: () => world.real * 1000,
    });
  /** Advances the clock to the alarm and runs it. Returns the seconds until the alarm. */
  const ring = async (): Promise<number> => {
    const seconds = world.alarm;
    if (seconds === null) throw new Error('no alarm is set');
    storage.alarmAt.value = null;
    world.real += seconds;
    await object().alarm();
    return seconds;
  };
  const settle = async () => {
    while (world.alarm !== null) await ring();
  };
  return Object.assign(world, { announcer, object, ring, settle, start: () => object().start('live-us', NOW) });
}

const branchRow = async () => (await rows('SELECT * FROM archive_branches'))[0];
const source = createUpdateEventSources(createAnnouncementsStore(db))[0];

beforeEach(emptyArchive);

describe('createArchiveSync', () => {
  it('runs one step per alarm until the version is published', async () => {
    const world = serviceWorld();
    expect(await world.start()).toBe('planned');
    expect(await branchRow()).toMatchObject({ status: 'syncing', lease_holder: 'service', last_probe_at: NOW });
    await world.ring();
    expect([await world.start(), world.object().isRunning()]).toEqual(['running', true]);
    world.real += 40;
    await world.settle();
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await branchRow()).toMatchObject({ status: 'idle', lease_holder: '', current_ordinal: 1, announced_ordinal: 1 });
    const [version] = await rows('SELECT captured_at, completed_at FROM archive_versions');
    expect(version).toEqual({ captured_at: NOW, completed_at: NOW + 40 });
    expect(world.news).toEqual([{ branch: 'live-us', ordinal: 1, now: NOW + 40 }]);
    expect(world.events).toEqual([['game_update', NOW + 40]]);
    expect(await findViolations()).toEqual([]);
    expect([await world.start(), world.alarm, world.events.length]).toEqual(['unchanged', null, 1]);
  });

  it('restores a lost alarm', async () => {
    const world = serviceWorld();
    await world.start();
    world.storage.alarmAt.value = null;
    expect([await world.start(), world.alarm]).toEqual(['running', 0]);
    await world.settle();
    expect(await branchRow()).toMatchObject({ current_ordinal: 1 });
  });

  it('skips the backoff after a failed step on a manual run', async () => {
    const world = serviceWorld();
    await world.start();
    world.fault = new Error('no response');
    for (const pause of [0, 5, 30]) expect(await world.ring()).toBe(pause);
    expect([await world.start(), world.alarm]).toEqual(['running', 120]);
    expect([await world.object().start('live-us', NOW, true), world.alarm]).toEqual(['running', 0]);
    world.fault = null;
    await world.settle();
    expect(await branchRow()).toMatchObject({ current_ordinal: 1 });
  });

  it('retries transient failures, then waits for the next probe', async () => {
    const world = serviceWorld();
    await world.start();
    world.fault = new Error('no response');
    expect([await world.ring(), await world.ring(), await world.ring()]).toEqual([0, 5, 30]);
    world.fault = null;
    expect(await world.ring()).toBe(120);
    world.fault = new Error('no response again '.repeat(99));
    while (world.alarm !== null) await world.ring();
    const row = await branchRow();
    expect(row).toMatchObject({
      status: 'error',
      lease_holder: '',
      current_ordinal: 0,
      error: expect.stringMatching(/^no response again/),
    });
    expect(String(row?.error)).toHaveLength(500);
    world.fault = null;
    expect(await world.start()).toBe('planned');
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'idle', error: null, current_ordinal: 1 });
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
  });

  it('stops without retries for an invalid or missing build', async () => {
    const world = serviceWorld();
    const damaged = makeBuild({ ...FIRST, override: { 'd/index.tfi': Uint8Array.of(200) } });
    world.build = damaged;
    await world.start();
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'error', error: expect.stringContaining('d/index.tfi') });
    world.build = makeBuild(FIRST);
    await world.start();
    world.build = makeBuild(SECOND);
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'error', error: expect.stringContaining('no longer exists') });
    await world.start();
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'idle', current_ordinal: 1, current_version: 'V-2' });
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(SECOND)));
  });

  it('records and rethrows the error of a probe', async () => {
    const world = serviceWorld();
    world.build = { ...makeBuild(FIRST), pointer: 'nonsense' };
    await expect(world.start()).rejects.toThrow('pointer');
    expect(await branchRow()).toMatchObject({ status: 'error', lease_holder: '', error: expect.stringContaining('pointer') });
  });

  it('stops when the archiver is disabled and resumes when it is enabled', async () => {
    const world = serviceWorld();
    await world.start();
    await world.ring();
    world.isEnabled = false;
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'error', error: 'archiver disabled', lease_holder: '' });
    world.isEnabled = true;
    await world.start();
    await world.settle();
    expect(await branchRow()).toMatchObject({ status: 'idle', current_ordinal: 1 });
  });

  it('does not start while another worker holds the lease, and stops when it loses the lease', async () => {
    const world = serviceWorld();
    const other = await storeOf('live-us', 'bulk:elsewhere:1');
    world.real = 1;
    expect([await world.start(), world.alarm]).toEqual(['leased', null]);
    await other.releaseLease();
    await world.start();
    await createD1SyncStore({ db, branch: 'live-us', holder: 'service' }).releaseLease();
    await storeOf('live-us', 'bulk:elsewhere:1');
    await world.settle();
    expect([world.storage.values.size, (await branchRow())?.status]).toEqual([0, 'syncing']);
  });
});

describe('job archive-announce', () => {
  it('retries the hooks of a version until they succeed', async () => {
    const world = serviceWorld();
    world.hookFault = new Error('cannot follow');
    await world.start();
    await world.settle();
    expect(await branchRow()).toMatchObject({ current_ordinal: 1, announced_ordinal: 0, status: 'idle' });
    const jobs = createUpdateJobs({
      probeSeconds: 1200,
      isConfigured: true,
      startSync: async () => 'unchanged',
      announcer: world.announcer,
    });
    const announce = jobs.find(({ name }) => name === 'archive-announce');
    const context = { now: NOW + 60, settings: DEFAULT_SETTINGS, signal: new AbortController().signal, isManual: false };
    await expect(announce?.run(context)).rejects.toThrow('cannot follow');
    world.hookFault = null;
    await announce?.run(context);
    await announce?.run(context);
    expect(world.news).toEqual([{ branch: 'live-us', ordinal: 1, now: NOW + 60 }]);
  });
});

describe('createAnnouncer', () => {
  it('announces the other branches and calls the other hooks when a hook fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const world = serviceWorld();
    world.hookFault = new Error('cannot follow');
    await world.start();
    await world.settle();
    world.secondHook.length = 0;
    await sync(makeBuild(FIRST), { branch: 'pts' });
    await expect(world.announcer.announce(NOW + 60)).rejects.toThrow('cannot follow');
    expect(world.news).toEqual([{ branch: 'pts', ordinal: 1, now: NOW + 60 }]);
    expect(world.secondHook).toEqual(['live-us', 'pts']);
    expect(await rows('SELECT branch, announced_ordinal FROM archive_branches ORDER BY branch')).toEqual([
      { branch: 'live-us', announced_ordinal: 0 },
      { branch: 'pts', announced_ordinal: 1 },
    ]);
  });
});

describe('event game_update', () => {
  it('has the newest version as body', async () => {
    const world = serviceWorld();
    expect(await source?.stateAt(NOW, DEFAULT_SETTINGS)).toBeNull();
    await world.start();
    await world.settle();
    const state = await source?.stateAt(NOW, DEFAULT_SETTINGS);
    expect(state?.signature).toBe('live-us:1');
    expect(JSON.parse(state?.body.kind === 'json' ? state.body.text : '')).toEqual({
      version: {
        branch: 'live-us',
        ordinal: 1,
        version_tag: 'V-1',
        captured_at: '2026-06-08T14:46:40Z',
        completed_at: '2026-06-08T14:46:40Z',
        files_added: 4,
        files_modified: 0,
        files_removed: 0,
        bytes_added: 4,
      },
    });
  });

  it('is not published for other branches', async () => {
    const world = serviceWorld();
    await world.object().start('pts', NOW);
    await world.settle();
    expect([world.news.length, world.events]).toEqual([1, []]);
    expect(await source?.stateAt(NOW, DEFAULT_SETTINGS)).toBeNull();
  });
});

describe('createUpdateJobs', () => {
  it('creates one probe job per branch, disabled by default', () => {
    const parts = { probeSeconds: 1200, startSync: async () => 'unchanged' as const, announcer: { announce: async () => {} } };
    const available = (isConfigured: boolean, isOn: boolean) =>
      createUpdateJobs({ ...parts, isConfigured }).map(({ name, availability }) => [
        name,
        availability?.({ ...DEFAULT_SETTINGS, updatesArchiverEnabled: isOn }) ?? 'enabled',
      ]);
    expect(DEFAULT_SETTINGS.updatesArchiverEnabled).toBe(false);
    const jobs = (state: string) => [
      ['archive-sync-live-us', state],
      ['archive-sync-pts', state],
      ['archive-announce', 'enabled'],
    ];
    expect(available(true, false)).toEqual(jobs('disabled'));
    expect(available(true, true)).toEqual(jobs('enabled'));
    expect(available(false, true)).toEqual(jobs('unconfigured'));
  });
});

describe('binding ARCHIVE_SYNC', () => {
  it('returns the sync object of a branch', async () => {
    const stub = env.ARCHIVE_SYNC.getByName('live-us');
    expect(await stub.isRunning()).toBe(false);
  });
});
