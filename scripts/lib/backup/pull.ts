import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import pMap from 'p-map';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { BACKUPS_PREFIX, type BackupSecrets, type Manifest, readUnverifiedManifest } from '../../../src/areas/backup/backup-files.store.ts';
import { CHANGES_PERIOD_SECONDS, CHANGES_PREFIX } from '../../../src/platform/access/tokens/change-journal.ts';
import { tokenFormatFrom } from '../../../src/platform/access/tokens/token-format.ts';
import { sha256Of } from '../../../src/platform/storage/content-store.ts';
import { instantKey } from '../../../src/platform/storage/dated-objects.ts';
import { quietTools } from '../commands.ts';
import { WRANGLER_CONFIG } from '../config.ts';
import { RUNTIME_LOG } from '../dev/runtime-log.ts';
import { UserError } from '../main.ts';
import { openRemoteBindings, type RemoteBindings } from '../remote-bindings.ts';
import { close, REQUEST_TIMEOUT_MS, runStep } from '../steps.ts';
import { writeWholeFile } from '../whole-files.ts';
import type { PulledBackup } from './restore.ts';

const MANIFEST = 'manifest.json';
const CONCURRENCY = 6;
const FILE_MODE = 0o600;
/**
 * Entries are read from this time before the backup: its first hour, and more than the clocks of the service differ. Entries of before the
 * backup are older than its rows and have no effect.
 */
const MARGIN_SECONDS = CHANGES_PERIOD_SECONDS + 3600;

/** Opens the database and the bucket of backups, deployed or of a local state folder. */
export async function openBackupBindings(target: { isRemote: true } | { isRemote: false; state: string }): Promise<RemoteBindings> {
  quietTools();
  if (target.isRemote) return openRemoteBindings('BACKUPS');
  const step = { name: `Opening the local stores in ${target.state}`, standing: 'Nothing was read or changed.' };
  return runStep(step, () => openLocal(target.state));
}

async function openLocal(state: string): Promise<RemoteBindings> {
  const { d1Databases, r2Buckets, compatibilityDate } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions;
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name: 'backup',
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      compatibilityDate,
      d1Databases,
      r2Buckets,
      host: '127.0.0.1',
      port: 0,
      cf: false,
      logRequests: false,
      ...RUNTIME_LOG,
      resourcePersistencePath: state,
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  await mf.ready;
  return {
    database: (await mf.getD1Database('DB')) as unknown as D1Database,
    bucket: (await mf.getR2Bucket('BACKUPS')) as unknown as R2Bucket,
    dispose: () => close(() => mf.dispose()),
  };
}

const STANDING = 'The backup is not copied completely. Run the command again: files that are there are skipped.';

/** A step of a pull: requests to the bucket, and what is written of them. */
const copyStep = <Result>(name: string, work: () => Promise<Result>) =>
  runStep({ name, standing: STANDING, timeoutMs: REQUEST_TIMEOUT_MS }, work);

export interface PullReport {
  manifest: Manifest;
  copied: number;
  present: number;
  changes: number;
}

/**
 * Copies the newest complete backup and the entries of the change journal since its start into a folder. Skips files of the backup
 * that are there already. The manifest is written last, so a folder with a manifest is complete. Throws UserError.
 */
export async function pullBackup(bucket: R2Bucket, folder: string): Promise<PullReport> {
  const folders = await listAll((cursor) => bucket.list({ prefix: BACKUPS_PREFIX, delimiter: '/', ...cursor }), 'delimitedPrefixes');
  let text: string | null = null;
  let manifestKey = '';
  for (const name of folders.sort().reverse()) {
    manifestKey = name + MANIFEST;
    text = await copyStep(`The copy of ${manifestKey}`, async () => (await (await bucket.get(manifestKey))?.text()) ?? null);
    if (text !== null) break;
  }
  if (text === null) throw new UserError('The bucket has no complete backup.');
  const found = text;
  const manifest = await copyStep(`Reading ${manifestKey}`, async () => readUnverifiedManifest(found));
  const report = { manifest, copied: 0, present: 0, changes: 0 };
  const pieces = manifest.tables.flatMap((table) => table.pieces);
  /** `sha256` null: the entry of a journal, which later changes replace. */
  const copy = ({ key, sha256 }: { key: string; sha256: string | null }) => copyStep(`The copy of ${key}`, () => copyNow(key, sha256));
  const copyNow = async (key: string, sha256: string | null) => {
    const file = fileOf(folder, key);
    if (sha256 !== null && existsSync(file) && (await sha256Of(new Uint8Array(readFileSync(file)))) === sha256) {
      report.present += 1;
      return;
    }
    const object = await bucket.get(key);
    if (!object) throw new Error('it is missing from the bucket');
    const bytes = new Uint8Array(await object.arrayBuffer());
    if (sha256 !== null && (await sha256Of(bytes)) !== sha256) throw new Error('its hash is not that of the manifest');
    writeWholeFile(file, bytes, FILE_MODE);
    report.copied += 1;
  };
  await pMap(pieces, copy, { concurrency: CONCURRENCY });
  const startAfter = instantKey(CHANGES_PREFIX, manifest.startedAt - MARGIN_SECONDS);
  const changes = await listAll((cursor) => bucket.list({ prefix: CHANGES_PREFIX, startAfter, ...cursor }), 'objects');
  await pMap(changes, (key) => copy({ key, sha256: null }), { concurrency: CONCURRENCY });
  await copyStep(`Writing ${manifestKey}`, async () => writeWholeFile(fileOf(folder, manifestKey), found, FILE_MODE));
  return { ...report, changes: changes.length };
}

/** All keys or prefixes of a list of the bucket. */
async function listAll(
  page: (cursor: { cursor?: string }) => ReturnType<R2Bucket['list']>,
  field: 'objects' | 'delimitedPrefixes',
): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const listed = await copyStep('The list of the bucket', () => page(cursor === undefined ? {} : { cursor }));
    names.push(...(field === 'objects' ? listed.objects.map(({ key }) => key) : listed.delimitedPrefixes));
    cursor = listed.truncated ? listed.cursor : undefined;
  }
  return names;
}

/** The file of a key. Throws UserError for a key that could be outside the folder: who can write to the bucket chooses it. */
function fileOf(folder: string, key: string): string {
  if (!/^[\w.%!'()*~-]+(?:\/[\w.%!'()*~-]+)*$/.test(key) || /(?:^|\/)\.\.?(?:\/|$)/.test(key))
    throw new UserError(`${JSON.stringify(key)} is not a key of a backup.`);
  return join(folder, key);
}

/** The newest backup of a folder of `pullBackup`. */
export function openPulled(folder: string): PulledBackup {
  const backups = join(folder, BACKUPS_PREFIX);
  const names = existsSync(backups) ? readdirSync(backups).sort().reverse() : [];
  const newest = names.find((name) => existsSync(join(backups, name, MANIFEST)));
  if (newest === undefined) throw new UserError(`${folder} has no complete backup: run npm run backup -- pull ${folder} first.`);
  const changes = join(folder, CHANGES_PREFIX);
  const startedAt = Number(newest);
  return {
    manifest: readFileSync(join(backups, newest, MANIFEST), 'utf8'),
    changes: (existsSync(changes) ? readdirSync(changes).sort() : [])
      .map((name) => CHANGES_PREFIX + name)
      .filter((key) => key > instantKey(CHANGES_PREFIX, startedAt - MARGIN_SECONDS)),
    read: async (key) => new Uint8Array(readFileSync(fileOf(folder, key))),
  };
}

/** The secrets that a backup names, from variables. `TOKEN_KEY` has a fixed value in development. */
export function secretsFrom(vars: Readonly<Record<string, string | undefined>>): BackupSecrets {
  return {
    TOKEN_KEY: tokenFormatFrom(vars).key,
    SESSION_SECRET: vars.SESSION_SECRET || null,
    WEBHOOK_SECRET: vars.WEBHOOK_SECRET || null,
  };
}
