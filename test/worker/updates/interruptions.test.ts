import { beforeEach, describe, expect, it } from 'vitest';
import type { SyncEngineDeps } from '../../../src/areas/updates/sync/engine/engine.service.ts';
import { LeaseLostError } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import { type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { encodeIndex } from '../../support/archive/encode.ts';
import { findViolations } from './invariants.ts';
import { countWrites, FIRST, Killed, killEverywhere, LIMITS, MOVED, SECOND, syncKilled, takeBackEverywhere } from './kills.ts';
import { changeLines, emptyArchive, everything, NOW, rows, storeOf, sync, textsOf, treeAt } from './world.ts';

beforeEach(emptyArchive);

describe('sync after an interruption', () => {
  it('reaches the same state after a crash before any write, without partial data', () => killEverywhere(3), 120_000);

  it.each([
    ['changes, adds and removes packed directories', SECOND],
    ['moves files between directories', MOVED],
  ])('archives the previous build again when a build that %s is taken back', (_, second) => takeBackEverywhere(second, 1), 120_000);

  it('completes despite repeated crashes', async () => {
    const writes = await countWrites(FIRST);
    const whole = await everything();
    await emptyArchive();
    let kills = 0;
    while (await syncKilled(FIRST, 5)) {
      kills += 1;
      if (kills > writes * 2) throw new Error('gets nowhere');
    }
    expect(kills).toBeGreaterThan(3);
    expect(await everything()).toEqual(whole);
  });

  it('stores only net changes if the build is replaced during the sync', async () => {
    await sync(makeBuild(FIRST));
    const between: BuildParts = {
      versionTag: 'V-X',
      loose: { 'a.txt': 'AX', 'b.txt': 'B', 'gone.txt': 'came and went', 'big.bin': 'large enough to be streamed' },
      packed: { p: [{ 'x/1': 'ONE' }], 'p/q': [{ 4: 'four' }], z: [{ z: 'z' }] },
    };
    await sync(makeBuild(between), { steps: 3 });
    expect((await changeLines(2)).length).toBeGreaterThan(3);
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    const final: BuildParts = { ...FIRST, versionTag: 'V-3', loose: { ...FIRST.loose, 'c.txt': 'C' } };
    const { version } = await sync(makeBuild(final));
    expect(version).toMatchObject({ ordinal: 2, versionTag: 'V-3', filesAdded: 1, filesModified: 0, filesRemoved: 0 });
    expect(await changeLines(2)).toEqual(['added c.txt']);
    expect(await treeAt(2)).toEqual(textsOf(logicalFiles(final)));
    const [span] = await rows("SELECT from_ordinal, to_ordinal FROM archive_files WHERE name = 'a.txt'");
    expect(span).toEqual({ from_ordinal: 1, to_ordinal: 2_147_483_647 });
    expect((await findViolations()).filter((line) => !line.endsWith('belongs to no file'))).toEqual([]);
  });

  it('recomputes directory totals if the build is replaced during the sync', async () => {
    await sync(makeBuild(FIRST));
    const summed = {
      wrap: (deps: SyncEngineDeps) => ({ ...deps, store: { ...deps.store, completeVersion: () => Promise.reject(new Killed()) } }),
    };
    await expect(sync(makeBuild(SECOND), summed)).rejects.toThrow(Killed);
    await sync(makeBuild({ ...FIRST, versionTag: 'V-3', packed: {} }));
    expect((await findViolations()).filter((line) => !line.endsWith('belongs to no file'))).toEqual([]);
  });

  it('completes a version without changes if the previous build is published again', async () => {
    await sync(makeBuild(FIRST));
    await sync(makeBuild(SECOND), { steps: 1, limits: LIMITS });
    const { probe, version } = await sync(makeBuild(FIRST), { now: NOW + 5 });
    expect(probe).toBe('planned');
    expect(version).toMatchObject({ ordinal: 2, filesAdded: 0, filesModified: 0, filesRemoved: 0 });
    expect((await sync(makeBuild(FIRST))).probe).toBe('unchanged');
  });
});

describe('sync store after losing the lease', () => {
  it('rejects writes with LeaseLostError', async () => {
    const old = await storeOf('live-us', 'old');
    await expect(storeOf('live-us', 'new')).rejects.toThrow('held');
    await old.releaseLease();
    await storeOf('live-us', 'new');
    const nothing = {
      stored: [],
      removed: [],
      incompleteIndex: null,
      manifestSet: [{ path: 'x', sha1: '1', size: 1 }],
      manifestUnset: [],
      done: [],
    };
    await expect(old.storeResult({ ...nothing, ordinal: 1 })).rejects.toThrow(LeaseLostError);
    await expect(old.beginVersion({ versionTag: 'V', contentPath: 'c', manifestDigest: 'd', work: [] }, NOW)).rejects.toThrow(
      LeaseLostError,
    );
    expect([await rows('SELECT * FROM archive_manifest'), await rows('SELECT * FROM archive_versions')]).toEqual([[], []]);
  });
});

describe('sync of an invalid build', () => {
  const damaged = (override: Record<string, Uint8Array<ArrayBuffer> | null>) => makeBuild({ ...SECOND, override });
  const index = (size: number, offset = 0, checksum = 0) => encodeIndex([{ name: 'six', archiveIndex: 0, offset, size, checksum }]);

  it.each([
    ['a truncated index', { 'r/index.tfi': index(3).slice(0, -1) }, /r\/index\.tfi: index entry at byte 0/],
    ['a wrong checksum', { 'r/index.tfi': index(3, 0, 7) }, /r\/six does not have the checksum/],
    ['a file beyond its archive', { 'r/index.tfi': index(300) }, /r\/six is beyond the end/],
    ['a missing archive', { 'r/archive0.tfa': null }, /r\/archive0\.tfa is listed in the index/],
    ['an invalid archive', { 'r/archive0.tfa': Uint8Array.of(1, 2, 3) }, /incorrect header check/],
    ['an index with an excessive file size', { 'r/index.tfi': index(4_294_967_295) }, /is beyond the end/],
  ])('stops at %s, and the previous version stays visible', async (_name, override, message) => {
    await sync(makeBuild(FIRST));
    await expect(sync(damaged(override))).rejects.toThrow(message);
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    const { version } = await sync(makeBuild(SECOND));
    expect(version).toMatchObject({ ordinal: 2, filesAdded: 3, filesModified: 2, filesRemoved: 2 });
    expect(await findViolations()).toEqual([]);
  });

  it('stops at a file with a wrong size', async () => {
    const build = makeBuild(SECOND);
    const longer = new Map(build.files).set('c.txt', new Uint8Array(99));
    const shorter = new Map(build.files).set('c.txt', new Uint8Array(0));
    await expect(sync({ ...build, files: longer })).rejects.toThrow(/c\.txt is longer than the 1 bytes/);
    await expect(sync({ ...build, files: shorter })).rejects.toThrow(/c\.txt has 0 bytes instead of 1/);
  });

  it('stops at a malformed pointer or manifest', async () => {
    const build = makeBuild(FIRST);
    await expect(sync({ ...build, pointer: 'only-a-tag' })).rejects.toThrow(/pointer/);
    await expect(sync({ ...build, manifest: 'a:b:1\n' })).rejects.toThrow(/manifest/);
    expect(await rows('SELECT * FROM archive_versions')).toEqual([]);
  });
});
