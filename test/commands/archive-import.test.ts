import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveBindings, openArchive } from '../../scripts/lib/archive/bindings.ts';
import { bulkSync } from '../../scripts/lib/archive/bulk-sync.ts';
import { acquireBranch } from '../../scripts/lib/archive/holder.ts';
import { type FolderImport, importFolder } from '../../scripts/lib/archive/import-folder.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { makeBuild } from '../support/archive/build.ts';
import { memorySource } from '../support/archive/memory-source.ts';

type Files = Readonly<Record<string, string>>;

const BRANCH = 'live-us';
const LONG = { timeout: 120_000 };
const NOW = 1_780_930_000;
const TABLES = ['branches', 'versions', 'files', 'dirs', 'changes', 'blobs', 'manifest', 'work'].map((name) => `archive_${name}`);

/** A game of ten prefabs, four models and a loose file. */
const GAME: Files = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`prefabs/pet/pet_${index}.binfab`, `pet ${index}`])),
  ...Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`blueprints/model:${index}.blueprint`, `model ${index}`])),
  'readme.txt': '',
};

let root: string;
let state: string;
let archive: ArchiveBindings;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'archive-import-'));
  state = join(root, 'state', 'v3');
  await (await openMigratedState(state)).dispose();
});
afterAll(() => rmSync(root, { recursive: true }));

function writeFolder(name: string, files: Files): string {
  const dir = join(root, name);
  rmSync(dir, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await archive.binding.prepare(sql).all()).results;
}

/** All rows of the archive without the lease and what only the publisher's manifest says. */
async function everything(): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const table of TABLES) {
    const hidden = { lease_holder: undefined, lease_until: undefined, sha1: undefined, manifest_digest: undefined };
    dump[table] = (await rows(`SELECT * FROM ${table}`)).map((row) => JSON.stringify({ ...row, ...hidden })).sort();
  }
  return dump;
}

const changes = async (ordinal: number) =>
  (await rows(`SELECT type, path FROM archive_changes WHERE ordinal = ${ordinal} ORDER BY type, path`)).map(
    ({ type, path }) => `${type} ${path}`,
  );

async function withLease<Value>(work: (store: Awaited<ReturnType<typeof acquireBranch>>['store']) => Promise<Value>): Promise<Value> {
  const lease = await acquireBranch({ ...archive, branch: BRANCH, takeOver: false });
  try {
    return await work(lease.store);
  } finally {
    await lease.release();
  }
}

interface ImportChoice {
  files: Files;
  tag: string;
  roots?: FolderImport['roots'];
  dir?: string;
  onProgress?(): void;
  signal?: AbortSignal;
  parallel?: number;
}

function runImport({ files, tag, roots = null, dir = writeFolder(tag, files), onProgress = () => {}, signal, parallel = 2 }: ImportChoice) {
  const deps = { archive, parallel, now: () => NOW, onScan: () => {}, onProgress, signal };
  return withLease((store) => importFolder({ branch: BRANCH, dir, tag, roots }, { ...deps, store }));
}

function syncBuild(versionTag: string, parts: Omit<Parameters<typeof makeBuild>[0], 'versionTag'>) {
  const source = memorySource(() => makeBuild({ versionTag, ...parts }));
  return withLease((store) => bulkSync({ source, store, contents: archive.contents, parallel: 2, now: () => NOW, onProgress: () => {} }));
}

describe('importFolder', () => {
  beforeEach(async () => {
    archive ??= await openArchive({ isRemote: false, state });
    await archive.binding.batch([...TABLES, 'archive_paths'].map((table) => archive.binding.prepare(`DELETE FROM ${table}`)));
  });
  afterAll(() => archive.dispose());

  it('stores the same rows as a build of the publisher with the same files', async () => {
    const second: Files = { ...GAME, 'readme.txt': 'read me', 'prefabs/new.binfab': 'new' };
    const { 'prefabs/pet/pet_0.binfab': _, ...third } = second;
    for (const [tag, loose] of Object.entries({ A: GAME, B: second, C: third })) await syncBuild(tag, { loose });
    const published = await everything();
    await archive.binding.batch(TABLES.map((table) => archive.binding.prepare(`DELETE FROM ${table}`)));
    for (const [tag, files] of Object.entries({ A: GAME, B: second, C: third })) {
      expect(await runImport({ files, tag })).toMatchObject({ kind: 'imported', version: { versionTag: tag } });
    }
    expect(await changes(2)).toEqual(['added prefabs/new.binfab', 'modified readme.txt']);
    expect(await changes(3)).toEqual(['removed prefabs/pet/pet_0.binfab']);
    expect(await everything()).toEqual(published);
  });

  it('changes nothing when a folder is imported again, newest or not', async () => {
    await runImport({ files: GAME, tag: 'A' });
    await runImport({ files: { ...GAME, added: 'x' }, tag: 'B' });
    const before = await everything();
    expect(await runImport({ files: GAME, tag: 'A' })).toMatchObject({ kind: 'known', version: { ordinal: 1 } });
    expect(await runImport({ files: { ...GAME, added: 'x' }, tag: 'B' })).toMatchObject({ kind: 'known', version: { ordinal: 2 } });
    expect(await everything()).toEqual(before);
  });

  it('stores no version for the same files under another tag', async () => {
    await runImport({ files: GAME, tag: 'A' });
    expect(await runImport({ files: GAME, tag: 'B' })).toMatchObject({ kind: 'unchanged' });
    expect(await rows('SELECT version_tag FROM archive_versions')).toEqual([{ version_tag: 'A' }]);
  });

  it('rejects a known tag with other files', async () => {
    await runImport({ files: GAME, tag: 'A' });
    const { 'readme.txt': _, ...fewer } = GAME;
    const files = { ...fewer, 'prefabs/pet/pet_1.binfab': 'other', more: '' };
    await expect(runImport({ files, tag: 'A' })).rejects.toThrow(/^A is version 1 of live-us .* 1 more, 1 other and 1 fewer/);
  });

  it('rejects a folder that lacks more than a fifth of the files and names the roots', async () => {
    await runImport({ files: GAME, tag: 'A' });
    const files = Object.fromEntries(Object.entries(GAME).filter(([path]) => !path.startsWith('blueprints/')));
    await expect(runImport({ files, tag: 'B' })).rejects.toThrow(
      /lacks 4 of the 15 files of live-us.*\n {2}blueprints: 4 of 4 files\n.*--roots prefabs,readme\.txt$/,
    );
    expect(await rows('SELECT version_tag FROM archive_versions')).toEqual([{ version_tag: 'A' }]);
  });

  it('keeps the files outside of the roots', async () => {
    await runImport({ files: GAME, tag: 'A' });
    const files = { 'prefabs/pet/pet_0.binfab': 'changed', ...Object.fromEntries(Object.entries(GAME).slice(1, 9)), 'other/x': 'ignored' };
    expect(await runImport({ files, tag: 'B', roots: ['prefabs'] })).toMatchObject({ kind: 'imported', version: { filesRemoved: 1 } });
    expect(await changes(2)).toEqual(['modified prefabs/pet/pet_0.binfab', 'removed prefabs/pet/pet_9.binfab']);
    expect(await runImport({ files, tag: 'B', roots: ['prefabs'] })).toMatchObject({ kind: 'known' });
  });

  it('keeps packed directories of the publisher outside of the roots', async () => {
    const packed = { blueprints: [{ one: '1', two: '2' }], prefabs: [{ a: 'A', b: 'B' }] };
    await syncBuild('P', { packed });
    const files = { 'prefabs/a': 'A', 'prefabs/b': 'changed' };
    await runImport({ files, tag: 'Q', roots: ['prefabs'] });
    expect(await changes(2)).toEqual(['modified prefabs/b']);
    expect((await syncBuild('R', { packed })).version).toMatchObject({ filesModified: 1, filesAdded: 0, filesRemoved: 0 });
  });

  it('skips and lists symbolic links and names that no manifest can have', async () => {
    const dir = writeFolder('links', { ...GAME, 'a\nb': 'x', ' c': 'x' });
    symlinkSync(join(root, 'state'), join(dir, 'prefabs', 'outside'));
    symlinkSync('readme.txt', join(dir, 'link.txt'));
    const { skipped } = await runImport({ files: GAME, tag: 'L', dir });
    expect([...skipped].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: ' c', reason: 'unsupported name' },
      { path: 'a\nb', reason: 'unsupported name' },
      { path: 'link.txt', reason: 'symbolic link' },
      { path: 'prefabs/outside', reason: 'symbolic link' },
    ]);
    expect(await rows('SELECT count(*) AS n FROM archive_files')).toEqual([{ n: 15 }]);
  });

  it.each([
    ['a folder that is missing', { dir: '/nowhere/game' }, 'folder not found'],
    ['a root that is missing', { roots: ['sounds'] }, '--roots: sounds not found'],
    ['a root outside of the folder', { roots: ['..'] }, '--roots: ".." is not the name of a folder'],
    ['a tag with a space', { tag: 'live 252' }, '"live 252" cannot be a tag'],
    ['packed archives', { files: { 'prefabs/index.tfi': 'x' } }, 'has packed archives: prefabs/index.tfi'],
    ['an empty folder', { dir: 'empty' }, 'has no files'],
  ] as [string, Partial<ImportChoice>, string][])('rejects %s', async (_title, choice, message) => {
    const dir = choice.dir === 'empty' ? { dir: mkdtempSync(join(root, 'empty-')) } : {};
    await expect(runImport({ files: GAME, tag: 'A', ...choice, ...dir })).rejects.toThrow(message);
  });

  it('continues after a stop with the same result', LONG, async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`prefabs/file_${index}`, `${index % 400}`]));
    await runImport({ files, tag: 'A' });
    const whole = await everything();
    await archive.binding.batch([...TABLES, 'archive_paths'].map((table) => archive.binding.prepare(`DELETE FROM ${table}`)));
    const stop = new AbortController();
    const stopped = { parallel: 1, onProgress: () => stop.abort(new Error('stopped')), signal: stop.signal };
    await expect(runImport({ files, tag: 'A', ...stopped })).rejects.toThrow('stopped');
    expect(await rows('SELECT completed_at FROM archive_versions')).toEqual([{ completed_at: null }]);
    await expect(runImport({ files, tag: 'B', roots: ['prefabs'] })).rejects.toThrow('A of live-us is incomplete');
    expect(await runImport({ files, tag: 'A' })).toMatchObject({ kind: 'imported' });
    expect(await everything()).toEqual(whole);
  });
});

describe('npm run archive -- import', () => {
  const running: ChildProcess[] = [];
  afterEach(() => {
    const left = running.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    for (const { pid } of left) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  });

  /** Runs the command; sends the signal to it, and a kill to its runtime as well, after the first line that tells the progress. */
  function runCommand(args: readonly string[], signal: NodeJS.Signals | null = null): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [inRoot('scripts', 'run.mjs'), 'archive', 'import', ...args], {
        stdio: 'pipe',
        detached: true,
      });
      running.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (signal === null || !text.includes(' %')) return;
          if (signal === 'SIGKILL') process.kill(-(child.pid ?? 0), signal);
          else child.kill(signal);
        });
      }
      child.on('close', (code) => resolve({ code, output }));
    });
  }

  const files = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`prefabs/file_${index}`, `${index}`]));

  it('exits with 1 and a hint after Ctrl-C, and completes the version after a kill', LONG, async () => {
    const dir = writeFolder('252', files);
    const args = [dir, '--branch', 'pts', '--state', state, '--parallel', '1'];
    const stopped = await runCommand(args, 'SIGINT');
    expect([stopped.code, stopped.output]).toEqual([1, expect.stringContaining('Stopped. Run the command again to continue.')]);
    expect((await runCommand(args, 'SIGKILL')).code).toBeNull();
    const { code, output } = await runCommand(args);
    expect([code, output]).toEqual([0, expect.stringContaining('pts 1 (252): 1500 added, 0 modified, 0 removed.')]);
    expect(await runCommand(args)).toMatchObject({ code: 0, output: expect.stringContaining('pts 1 (252) has these files already.') });
  });

  it('exits with 1 and the usage without a folder, and names a tag that it cannot use', async () => {
    expect(await runCommand(['--branch', 'pts'])).toMatchObject({ code: 1, output: expect.stringMatching(/^Name one folder\.\n\nUsage:/) });
    const dir = mkdtempSync(join(root, 'a b'));
    expect(await runCommand([dir, '--branch', 'pts'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('cannot be a tag: use --tag'),
    });
    expect(readdirSync(dir)).toEqual([]);
  });
});
