import { beforeEach, describe, expect, it } from 'vitest';
import { type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { findViolations } from './invariants.ts';
import { changeLines, emptyArchive, everything, NOW, rows, sync, textsOf, treeAt } from './world.ts';

const FIRST: BuildParts = {
  versionTag: 'V-1',
  loose: { 'readme.txt': 'read me', 'sounds/a:b.bank': 'bank', 'sounds/c d.bank': 'other bank', 'empty.bin': '' },
  packed: {
    prefabs: [{ 'cave/bat.binfab': 'BAT', 'cave/eel.binfab': 'EEEL', 'top.binfab': '' }, { 'sky/owl.binfab': 'OWL OWL' }],
    'ui/icons': [{ 'one.png': 'one', 'two.png': 'two', 'copy.png': 'one' }],
    '': [{ 'root.cfg': 'root' }],
  },
};

const SECOND: BuildParts = {
  versionTag: 'V-2',
  loose: { 'readme.txt': 'read me again', 'sounds/c d.bank': 'other bank', 'new/loose.txt': 'BAT' },
  packed: {
    prefabs: [{ 'cave/bat.binfab': 'BAT' }, { 'sky/owl.binfab': 'OWL', 'cave/fox.binfab': 'FOX' }],
    'ui/icons': [{ 'one.png': 'one' }, { 'two.png': 'two', 'copy.png': 'one' }],
  },
};

const branchRow = async () => (await rows('SELECT * FROM archive_branches'))[0];

beforeEach(emptyArchive);

describe('createSyncEngine', () => {
  it('archives every file of the first build', async () => {
    const { probe, version } = await sync(makeBuild(FIRST));
    expect(probe).toBe('planned');
    expect(version).toMatchObject({
      ordinal: 1,
      versionTag: 'V-1',
      filesAdded: 12,
      filesModified: 0,
      filesRemoved: 0,
      bytesAdded: 45,
      fileCount: 12,
    });
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await branchRow()).toMatchObject({ current_version: 'V-1', current_ordinal: 1, status: 'idle', file_count: 12, error: null });
    expect(await findViolations()).toEqual([]);
  });

  it('stores location and checksum of packed files', async () => {
    await sync(makeBuild(FIRST));
    const [owl] = await rows("SELECT archive, archive_index, checksum FROM archive_files WHERE name = 'owl.binfab'");
    expect(owl).toMatchObject({ archive: 'prefabs', archive_index: 1, checksum: expect.any(Number) });
    const [loose] = await rows("SELECT archive, archive_index, checksum FROM archive_files WHERE name = 'readme.txt'");
    expect(loose).toEqual({ archive: null, archive_index: null, checksum: null });
    const [root] = await rows("SELECT archive FROM archive_files WHERE name = 'root.cfg'");
    expect(root).toEqual({ archive: '' });
  });

  it('updates only the probe time without changes in the manifest', async () => {
    await sync(makeBuild(FIRST));
    const before = await everything();
    const { probe, opened } = await sync(makeBuild(FIRST), { now: NOW + 1200 });
    expect([probe, opened]).toEqual(['unchanged', []]);
    const after = await everything();
    expect({ ...after, archive_branches: [] }).toEqual({ ...before, archive_branches: [] });
    expect(await branchRow()).toMatchObject({ last_probe_at: NOW + 1200, status: 'idle' });
  });

  it('treats a reordered manifest as unchanged', async () => {
    const build = makeBuild(FIRST);
    await sync(build);
    const [header, ...lines] = build.manifest.trim().split('\n');
    const manifest = [header, ...lines.reverse(), 'not a line', ''].join('\r\n');
    expect((await sync({ ...build, manifest })).probe).toBe('unchanged');
  });

  it('downloads only the changes of a second build', async () => {
    await sync(makeBuild(FIRST));
    const { version, opened } = await sync(makeBuild(SECOND), { now: NOW + 60 });
    expect(await changeLines(2)).toEqual([
      'added new/loose.txt',
      'added prefabs/cave/fox.binfab',
      'modified prefabs/sky/owl.binfab',
      'modified readme.txt',
      'removed empty.bin',
      'removed prefabs/cave/eel.binfab',
      'removed prefabs/top.binfab',
      'removed root.cfg',
      'removed sounds/a:b.bank',
    ]);
    expect(version).toMatchObject({ ordinal: 2, filesAdded: 2, filesModified: 2, filesRemoved: 5, bytesAdded: 19, fileCount: 9 });
    expect(opened.sort()).toEqual(['new/loose.txt', 'prefabs/archive1.tfa', 'prefabs/index.tfi', 'readme.txt', 'ui/icons/index.tfi']);
    expect([await treeAt(1), await treeAt(2)]).toEqual([textsOf(logicalFiles(FIRST)), textsOf(logicalFiles(SECOND))]);
    expect(await findViolations()).toEqual([]);
    expect((await sync(makeBuild(SECOND))).probe).toBe('unchanged');
  });

  it('tracks a file moved to another archive without a change', async () => {
    await sync(makeBuild(FIRST));
    await sync(makeBuild(SECOND));
    const moved = await rows(
      "SELECT archive_index, from_ordinal, to_ordinal, changed_ordinal FROM archive_files WHERE name = 'two.png' ORDER BY from_ordinal",
    );
    expect(moved).toEqual([
      { archive_index: 0, from_ordinal: 1, to_ordinal: 2, changed_ordinal: 1 },
      { archive_index: 1, from_ordinal: 2, to_ordinal: 2_147_483_647, changed_ordinal: 1 },
    ]);
  });

  it('records a repacked build as a version without changes or downloads', async () => {
    await sync(makeBuild(FIRST));
    const { version, opened } = await sync(makeBuild({ ...FIRST, versionTag: 'V-R', options: { level: 1, unterminated: true } }));
    expect(version).toMatchObject({
      ordinal: 2,
      versionTag: 'V-R',
      filesAdded: 0,
      filesModified: 0,
      filesRemoved: 0,
      bytesAdded: 0,
      fileCount: 12,
    });
    expect(opened.filter((path) => path.endsWith('.tfa'))).toEqual([]);
    expect((await sync(makeBuild({ ...FIRST, versionTag: 'V-R', options: { level: 1, unterminated: true } }))).probe).toBe('unchanged');
    expect(await findViolations()).toEqual([]);
  });

  it('removes the files of a removed archive', async () => {
    await sync(makeBuild({ versionTag: 'V-1', packed: { d: [{ a: 'A' }, { b: 'B' }] } }));
    const second = makeBuild({ versionTag: 'V-2', packed: { d: [{ a: 'A' }] } });
    expect((await sync(second)).version).toMatchObject({ filesRemoved: 1 });
    expect(await rows('SELECT path FROM archive_manifest ORDER BY path')).toEqual([{ path: 'd/archive0.tfa' }, { path: 'd/index.tfi' }]);
    expect((await sync(second)).probe).toBe('unchanged');
  });

  it('removes the packed files of a directory whose index is removed', async () => {
    await sync(makeBuild({ versionTag: 'V-1', packed: { d: [{ a: 'A', 'b/c': 'C' }] }, loose: { 'd/stays': 'here' } }));
    const second = makeBuild({
      versionTag: 'V-2',
      packed: { d: [{ a: 'A' }] },
      loose: { 'd/stays': 'here' },
      override: { 'd/index.tfi': null },
    });
    await sync(second);
    expect([...(await treeAt(2)).keys()]).toEqual(['d/stays']);
    expect((await sync(second)).probe).toBe('unchanged');
    expect(await findViolations()).toEqual([]);
  });

  it.each([
    ['into a directory', { loose: { 'd/x': 'X' } }, { packed: { d: [{ x: 'Y', z: 'Z' }] } }],
    ['out of a directory', { packed: { d: [{ x: 'X', z: 'Z' }] } }, { loose: { 'd/x': 'Y' } }],
    [
      'from one directory to an inner one',
      { packed: { d: [{ 'e/x': 'X', z: 'Z' }] } },
      { packed: { d: [{ z: 'Z' }], 'd/e': [{ x: 'Y' }] } },
    ],
    [
      'from one directory to an outer one',
      { packed: { d: [{ z: 'Z' }], 'd/e': [{ x: 'X' }] } },
      { packed: { d: [{ 'e/x': 'Y', z: 'Z' }] } },
    ],
  ])('archives a file that moves %s', async (_name, before, after) => {
    await sync(makeBuild({ versionTag: 'V-1', ...before }));
    await sync(makeBuild({ versionTag: 'V-2', ...after }));
    expect(await treeAt(2)).toEqual(textsOf(logicalFiles(after)));
    expect(await findViolations()).toEqual([]);
  });

  it('stores equal content once across branches', async () => {
    await sync(makeBuild(FIRST));
    const { version } = await sync(makeBuild({ ...FIRST, versionTag: 'P-1' }), { branch: 'pts' });
    expect(version).toMatchObject({ ordinal: 1, filesAdded: 12, bytesAdded: 0 });
    expect(await treeAt(1, 'pts')).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await findViolations()).toEqual([]);
  });

  it('records only the probe of an unpublished branch', async () => {
    expect((await sync(null)).probe).toBe('unpublished');
    expect(await branchRow()).toMatchObject({ status: 'idle', last_probe_at: NOW, current_ordinal: 0, current_version: null });
  });
});

describe('createSyncEngine with step limits', () => {
  const cut = { stepFiles: 2, stepBytes: 8, stepDownloadBytes: 1, batchFiles: 1, batchBytes: 4, looseFiles: 1 };

  it('reaches the same state in more steps', async () => {
    await sync(makeBuild(FIRST));
    await sync(makeBuild(SECOND));
    const whole = await everything();
    await emptyArchive();
    const first = await sync(makeBuild(FIRST), { limits: cut });
    await sync(makeBuild(SECOND), { limits: cut });
    expect(await everything()).toEqual(whole);
    expect(first.steps).toBeGreaterThan(8);
  });

  it('streams files larger than the memory limit', async () => {
    await sync(makeBuild(FIRST), { limits: { maxInMemoryBytes: 3 } });
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await findViolations()).toEqual([]);
  });
});
