import { env } from 'cloudflare:workers';
import { buildTmod } from '../../../src/areas/mods/tmod-layout.domain.ts';
import { sha256Of } from '../../../src/platform/storage/content-store.ts';
import { oncePerFile } from '../../support/once-per-file.ts';
import { PIXEL_PNG } from '../../support/pixel.data.ts';
import { bearer, type CallOptions, call, type Fetch, fetchWorker, freshInstant, type TestResponse } from '../../support/requests.ts';
import { snapshotTables } from '../../support/table-snapshot.ts';
import { createAccount, createToken } from '../../support/tokens.ts';

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));

/** A small `.tmod` file; `content` makes it distinct. */
export function packed(
  content: string,
  properties: Record<string, string> = { title: 'Tiny', author: 'Me' },
  path = 'ui/tiny.swf',
): Uint8Array<ArrayBuffer> {
  const values = new Map(Object.entries(properties).map(([name, value]) => [name, bytesOf(value)]));
  return buildTmod({ version: 1, properties: values, files: [{ path, content: bytesOf(content) }] });
}

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
export const hashOf = (bytes: Uint8Array<ArrayBuffer>) => sha256Of(bytes);

/** A PNG of 1 x 1 pixel; the number makes it distinct. */
export function testImage(number = 0): Uint8Array<ArrayBuffer> {
  const png = Buffer.from(PIXEL_PNG, 'base64');
  return new Uint8Array([...png, number >> 8, number & 255]);
}

const superuser = oncePerFile(() => createAccount({ isSuperuser: true }));

/** Authorization with a new superuser token; each token has its own cooldown. */
export async function publisher(): Promise<string> {
  return bearer(await createToken({ userId: await superuser() }));
}

let files = 0;

/** Body of an insert with a distinct file. */
export function insertBody(fields: Record<string, unknown> = {}, release: Record<string, unknown> = {}): Record<string, unknown> {
  files += 1;
  return {
    handle: 'ana',
    title: 'Tiny Wings',
    ...fields,
    release: { tag: '1.0.0', artifact_base64: base64(packed(`file ${files}`)), ...release },
  };
}

/** Sends an insert with a new superuser token, unless a token is given. */
export async function insert(body: unknown, options: CallOptions = {}, fetch: Fetch = fetchWorker): Promise<TestResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = String(new TextEncoder().encode(text).byteLength);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length, ...options.headers };
  const authorization = options.authorization === undefined ? await publisher() : options.authorization;
  return call('/v1/mods/insert', { method: 'POST', body: text, ...options, authorization, headers }, fetch);
}

/** Publishes a mod; fails unless it is accepted. */
export async function publish(fields: Record<string, unknown> = {}, release: Record<string, unknown> = {}, now = freshInstant()) {
  const response = await insert(insertBody(fields, release), { now });
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return JSON.parse(response.text);
}

/** Requests a path and returns the JSON body. */
export async function read(path: string, options: CallOptions = {}) {
  return JSON.parse((await call(path, options)).text);
}

const TABLES = [
  'mods',
  'mod_tags',
  'mod_authors',
  'mod_images',
  'mod_releases',
  'mod_release_prior_hashes',
  'mod_artifact_owners',
  'mod_refused_files',
  'mod_downloads_daily',
  'project_handles',
  'project_members',
  'project_accounts',
  'project_invitations',
  'project_access',
  'project_take_downs',
  'project_claims',
  'project_audit',
  'project_allowances',
  'project_uses',
  'project_keys',
  'mod_packs',
  'mod_pack_mods',
  'mod_pack_images',
  'outbox',
  'ingest_log',
];

/** Deletes all data of the catalog, because the tests of a file share the storage. */
export async function clearCatalog(): Promise<void> {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
}

/** Saves the catalog without its files, which stay stored; returns a function that restores it. */
export const snapshotCatalog = () => snapshotTables(TABLES);
