import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type ArchiveBindings, openArchive } from '../../../scripts/lib/archive/bindings.ts';
import { workOnBranch } from '../../../scripts/lib/archive/branch-work.ts';
import { bulkSync } from '../../../scripts/lib/archive/bulk-sync.ts';
import { importFolder } from '../../../scripts/lib/archive/import-folder.ts';
import { openSource } from '../../../scripts/lib/archive/source.ts';
import { openMigratedState } from '../../../scripts/lib/dev/local-state.ts';
import { UserError } from '../../../scripts/lib/main.ts';
import { BRANCHES } from '../../../src/game/branches.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { type CallFault, failingDatabase } from '../d1/failing-database.ts';
import { makeBuild } from './build.ts';
import { type RunningCdn, startCdn } from './cdn.ts';

const BRANCH = 'live-us';
const NOW = 1_780_930_000;
const TABLES = ['branches', 'versions', 'files', 'dirs', 'changes', 'blobs', 'manifest', 'work', 'paths'].map((name) => `archive_${name}`);
const STANDING = '\nWhat was stored stays, and the version is not visible before it is complete. Run the command again to continue.';

/** A folder of the game with ten files in two roots. */
const FILES = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`${index % 2 === 0 ? 'prefabs' : 'languages'}/file_${index}`, `${index}`]),
);
/** A build of the publisher with loose and packed files. */
const BUILD = makeBuild({ versionTag: 'P', loose: { 'a.txt': 'a', 'b.txt': 'b' }, packed: { prefabs: [{ one: '1', two: '2' }] } });

/** How a request to the patch network fails. */
export const NETWORK_FAULTS = ['status 503', 'reset', 'cut', 'other bytes'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number] | 'hangs';

/** A local archive, a folder and a patch network, to import from while one of them fails. */
export async function createImportWorld() {
  const root = mkdtempSync(join(tmpdir(), 'import-failures-'));
  const state = join(root, 'state', 'v3');
  await (await openMigratedState(state)).dispose();
  const archive = await openArchive({ isRemote: false, state });
  const cdn: RunningCdn = await startCdn();
  cdn.publish(BRANCHES[BRANCH].pointerFile, BUILD);
  const dir = join(root, 'A');
  const writeFolder = () => {
    rmSync(dir, { recursive: true, force: true });
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
  };
  writeFolder();

  const empty = () => archive.binding.batch(TABLES.map((table) => archive.binding.prepare(`DELETE FROM ${table}`)));
  async function rows(): Promise<Record<string, string[]>> {
    const hidden = { lease_holder: undefined, lease_until: undefined, last_probe_at: undefined, last_error: undefined, status: undefined };
    const dump: Record<string, string[]> = {};
    for (const table of TABLES)
      dump[table] = (await archive.binding.prepare(`SELECT * FROM ${table}`).all()).results
        .map((row) => JSON.stringify({ ...row, ...hidden, id: undefined, path_id: undefined }))
        .sort();
    return dump;
  }
  const complete = async () =>
    (await archive.binding.prepare('SELECT count(*) AS n FROM archive_versions WHERE completed_at IS NOT NULL').first<{ n: number }>())?.n;

  /** Imports from the folder or the patch network. */
  function run(kind: 'import' | 'sync', bindings: ArchiveBindings = archive, onStored = () => {}) {
    const options = { archive: bindings, branch: BRANCH, takeOver: false, signal: new AbortController().signal } as const;
    return workOnBranch<unknown>(options, ({ store, signal }) => {
      const deps = { store, parallel: 1, now: () => NOW, onProgress: onStored, signal };
      return kind === 'import'
        ? importFolder({ branch: BRANCH, dir, tag: 'A', roots: null }, { ...deps, archive: bindings, onScan: () => {} })
        : bulkSync({ ...deps, source: openSource(BRANCH, cdn.origin), contents: bindings.contents });
    });
  }

  /** The error of a run, whose text must be for the operator; null when it succeeded. */
  async function failureOf(work: Promise<unknown>, context: string): Promise<string | null> {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) return null;
    expect(error, context).toBeInstanceOf(UserError);
    const { message } = error as UserError;
    expect(message, context).toMatch(/^The import of live-us failed: [^\n]+\n/);
    expect(message.endsWith(STANDING), `${context}: ${message}`).toBe(true);
    return message;
  }

  /** Runs the command without a fault and compares the rows. */
  async function expectSecondRun(kind: 'import' | 'sync', whole: Record<string, string[]>, context: string): Promise<void> {
    await run(kind);
    expect(await rows(), context).toEqual(whole);
    expect(await complete(), context).toBe(1);
  }

  return {
    root,
    dir,
    archive,
    cdn,
    run,
    empty,
    rows,
    complete,
    failureOf,
    writeFolder,
    expectSecondRun,

    /** The number of calls of a run without a fault, and its rows. */
    async whole(kind: 'import' | 'sync') {
      await empty();
      const { database, calls } = failingDatabase(archive.binding, null);
      cdn.takeCalls();
      await run(kind, { ...archive, binding: database, db: createDatabase(database as never) });
      return { calls: calls(), requests: cdn.takeCalls().length, rows: await rows() };
    },

    /** Fails a call of the database, and checks the second run. Returns whether the command failed. */
    async tryCall(
      kind: 'import' | 'sync',
      whole: Record<string, string[]>,
      at: number,
      fault: CallFault,
      lasts: boolean,
    ): Promise<boolean> {
      await empty();
      const context = `${kind}, call ${at}, ${fault}${lasts ? ', lasting' : ''}`;
      const { database } = failingDatabase(archive.binding, at, fault, lasts);
      const message = await failureOf(run(kind, { ...archive, binding: database, db: createDatabase(database as never) }), context);
      // The call after the one that completes the version fails too.
      if ((await complete()) === 1) expect(await rows(), context).toEqual(whole);
      await expectSecondRun(kind, whole, context);
      return message !== null;
    },

    /** Fails the storage of contents from put number `at` on. */
    async tryPut(kind: 'import' | 'sync', whole: Record<string, string[]>, at: number): Promise<boolean> {
      await empty();
      let puts = 0;
      const fail = () => {
        puts += 1;
        if (puts > at) throw new Error('put: the network was lost (10001)');
      };
      const contents: ArchiveBindings['contents'] = {
        async put(bytes) {
          fail();
          return archive.contents.put(bytes);
        },
        async putStream(input) {
          fail();
          return archive.contents.putStream(input);
        },
      };
      const message = await failureOf(run(kind, { ...archive, contents }), `${kind}, put ${at}`);
      if (message !== null) expect(message).toContain('put: the network was lost');
      await expectSecondRun(kind, whole, `${kind}, put ${at}`);
      return message !== null;
    },

    /** Fails a request to the patch network and all later ones of the same address. */
    async tryRequest(whole: Record<string, string[]>, at: number, fault: NetworkFault): Promise<boolean> {
      await empty();
      const seen: string[] = [];
      cdn.onRequest((path, response, bytes) => {
        if (!seen.includes(path)) seen.push(path);
        if (path !== seen[at]) return false;
        if (fault === 'status 503') response.writeHead(503).end();
        else if (fault === 'reset') response.destroy();
        else if (fault === 'other bytes') response.end(Buffer.alloc(bytes.length + 1, '?'));
        else if (fault === 'cut') {
          response.writeHead(200, { 'Content-Length': bytes.length });
          response.write(bytes.subarray(0, bytes.length - 1), () => response.destroy());
        }
        return true;
      });
      const message = await failureOf(run('sync'), `request ${at}, ${fault}`);
      cdn.onRequest(null);
      if (message !== null) expect(await complete()).toBe(0);
      await expectSecondRun('sync', whole, `request ${at}, ${fault}`);
      return message !== null;
    },

    async stop() {
      await cdn.stop();
      await archive.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
