import { createHash, randomUUID } from 'node:crypto';
import {
  type Account,
  addDeployment,
  addVersion,
  changedSecrets,
  type Deployment,
  isSecret,
  secretBinding,
  type Version,
  type VersionBinding,
  type Worker,
} from './account.ts';
import type { DatabaseFiles, Query } from './databases.ts';

export const ACCOUNT_ID = '0123456789abcdef0123456789abcdef';
export const API_TOKEN = 'loopback';

export interface PlatformCall {
  method: string;
  /** Path below the base of the API. */
  path: string;
  query: URLSearchParams;
  body: string;
  authorization: string | undefined;
}

export interface PlatformResponse {
  status: number;
  body: unknown;
}

interface Context {
  account: Account;
  files: DatabaseFiles;
  call: PlatformCall;
  /** Where SQL files are uploaded to. */
  uploadUrl: string;
}

type Handler = (context: Context, ...parts: string[]) => PlatformResponse;

const ok = (result: unknown, more: object = {}): PlatformResponse => ({
  status: 200,
  body: { success: true, errors: [], messages: [], result, ...more },
});
const failed = (status: number, code: number, message: string): PlatformResponse => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});
const NO_WORKER = failed(404, 10007, 'This Worker does not exist on your account.');

/** One page of a list, by `page` and `per_page`, with `result_info`. */
function paged(items: readonly unknown[], query: URLSearchParams, defaultSize: number): PlatformResponse {
  const page = Number(query.get('page') ?? 1);
  const per_page = Number(query.get('per_page') ?? defaultSize);
  const result = items.slice((page - 1) * per_page, page * per_page);
  return ok(result, { result_info: { page, per_page, count: result.length, total_count: items.length } });
}

const jsonOf = <Shape>(body: string): Partial<Shape> => JSON.parse(body || '{}') as Partial<Shape>;

/** The JSON part of a multipart upload of code. */
function metadataOf(body: string): { bindings?: VersionBinding[]; keep_bindings?: string[]; migrations?: { new_tag?: string } } {
  const part = /name="metadata"[^{]*(\{[\s\S]*?\})\r?\n--/.exec(body)?.[1];
  return part === undefined ? {} : JSON.parse(part);
}

function listDatabases({ account, call: { query } }: Context): PlatformResponse {
  const name = query.get('name');
  const found = account.databases.filter((database) => !name || database.name === name);
  return paged(found, query, 100);
}

function createDatabase({ account, call }: Context): PlatformResponse {
  const { name = '', primary_location_hint: hint } = jsonOf<{ name: string; primary_location_hint: string }>(call.body);
  if (account.databases.some((database) => database.name === name)) return failed(400, 7502, 'A database with that name already exists');
  const database = {
    uuid: randomUUID(),
    name,
    running_in_region: (hint ?? 'weur').toUpperCase(),
    read_replication: { mode: 'disabled' },
    version: 'production' as const,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  account.databases.push(database);
  return ok(database);
}

/** A handler for a database, which requests name by id or by name. */
function forDatabase(handle: (context: Context, database: Account['databases'][number]) => PlatformResponse): Handler {
  return (context, key) => {
    const database = context.account.databases.find(({ uuid, name }) => uuid === key || name === key);
    return database ? handle(context, database) : failed(404, 7404, `The database ${key} could not be found`);
  };
}

/** A failure of SQLite as the platform reports it. */
function attempt(run: () => PlatformResponse): PlatformResponse {
  try {
    return run();
  } catch (error) {
    return failed(400, 7500, `${error instanceof Error ? error.message : error}: SQLITE_ERROR`);
  }
}

function queryDatabase({ files, call }: Context, { uuid }: { uuid: string }): PlatformResponse {
  const body = jsonOf<Query & { batch: Query[] }>(call.body);
  return attempt(() => ok(files.run(uuid, body.batch ?? [{ sql: body.sql ?? '', params: body.params ?? [] }])));
}

/** Rows as lists beside the names of their columns. */
function queryRaw(context: Context, database: { uuid: string }): PlatformResponse {
  const response = queryDatabase(context, database);
  const { result } = response.body as { result: { results: Record<string, unknown>[] }[] | null };
  if (result === null) return response;
  const raw = result.map(({ results, ...more }) => ({
    ...more,
    results: { columns: Object.keys(results[0] ?? {}), rows: results.map((row) => Object.values(row)) },
  }));
  return ok(raw);
}

/** A file of SQL: `init` gives the address for the upload, `ingest` runs the file in one transaction, `poll` returns the result. */
function importFile({ account, files, call, uploadUrl }: Context, { uuid }: { uuid: string }): PlatformResponse {
  const { action, etag = '' } = jsonOf<{ action: string; etag: string }>(call.body);
  const done = { success: true, type: 'import', messages: [], at_bookmark: '00000001-00000000' };
  const result = { num_queries: 1, final_bookmark: '00000001-00000001', meta: { duration: 1, size_after: 4096, changes: 1 } };
  if (action === 'poll') return ok({ ...done, status: 'complete', result });
  if (action === 'init' && account.uploads[etag] === undefined) return ok({ upload_url: `${uploadUrl}/${etag}`, filename: `${etag}.sql` });
  return attempt(() => {
    files.run(uuid, [{ sql: account.uploads[etag] ?? '' }]);
    return ok({ ...done, status: action === 'init' ? 'complete' : 'active', result });
  });
}

function createNamespace({ account, call }: Context): PlatformResponse {
  const { title = '' } = jsonOf<{ title: string }>(call.body);
  if (account.namespaces.some((namespace) => namespace.title === title))
    return failed(400, 10014, 'create namespace: a namespace with this account ID and title already exists');
  const namespace = { id: randomUUID().replaceAll('-', ''), title, supports_url_encoding: true };
  account.namespaces.push(namespace);
  return ok(namespace);
}

const bucketOf = (name: string) => ({ name, creation_date: '2026-01-01T00:00:00.000Z', location: 'WEUR', storage_class: 'Standard' });

function createBucket({ account, call }: Context): PlatformResponse {
  const { name = '' } = jsonOf<{ name: string }>(call.body);
  if (account.buckets.includes(name)) return failed(409, 10004, 'The bucket you tried to create already exists, and you own it.');
  account.buckets.push(name);
  return ok(bucketOf(name));
}

/** A handler for a Worker that exists. */
function forWorker(handle: (context: Context, worker: Worker, ...parts: string[]) => PlatformResponse): Handler {
  return (context, name, ...parts) => {
    const worker = context.account.workers[name ?? ''];
    return worker ? handle(context, worker, ...parts) : NO_WORKER;
  };
}

const secretsOf = ({ versions }: Worker) => (versions[0]?.bindings ?? []).filter(isSecret);

/**
 * A change of a secret is a version with the same code, which gets all requests at once. Refused when the newest version is not the deployed
 * one: it would be deployed as well.
 */
function deploySecrets(worker: Worker, secrets: readonly VersionBinding[], result: unknown): PlatformResponse {
  const isDeployed = worker.deployments[0]?.versions.some(
    ({ version_id, percentage }) => version_id === worker.versions[0]?.id && percentage === 100,
  );
  if (!isDeployed) return failed(400, 10215, "Secret edit failed. The latest version of the Worker isn't currently deployed.");
  const others = (worker.versions[0]?.bindings ?? []).filter((binding) => !isSecret(binding));
  const version = addVersion(worker, others, false);
  version.bindings.push(...secrets);
  addDeployment(worker, [{ version_id: version.id, percentage: 100 }]);
  return ok(result);
}

function putSecret({ call }: Context, worker: Worker): PlatformResponse {
  const { name = '', text = '' } = jsonOf<{ name: string; text: string }>(call.body);
  const others = secretsOf(worker).filter((secret) => secret.name !== name);
  return deploySecrets(worker, [...others, secretBinding(name, text)], { name, type: 'secret_text' });
}

function deleteSecret(_: Context, worker: Worker, name: string): PlatformResponse {
  const secrets = secretsOf(worker);
  if (!secrets.some((secret) => secret.name === name)) return failed(404, 10056, `Secret "${name}" not found.`);
  const others = secrets.filter((secret) => secret.name !== name);
  return deploySecrets(worker, others, null);
}

function uploadVersion({ call }: Context, worker: Worker): PlatformResponse {
  const { bindings = [], keep_bindings: keeps = [], migrations } = metadataOf(call.body);
  if (migrations) return failed(400, 10211, 'Migrations must be fully applied by running "wrangler deploy" before a version is uploaded.');
  const version = addVersion(worker, bindings, keeps.includes('secret_text'));
  return ok({ ...shownVersion(version), startup_time_ms: 1 });
}

/** Uploads code and gives it all requests. */
function putScript({ account, call }: Context, name: string): PlatformResponse {
  const { bindings = [], keep_bindings: keeps = [], migrations } = metadataOf(call.body);
  const subdomain = { enabled: false, previews_enabled: false };
  const worker = account.workers[name] ?? { migrationTag: undefined, versions: [], deployments: [], subdomain };
  account.workers[name] = worker;
  account.serving = name;
  worker.migrationTag = migrations?.new_tag ?? worker.migrationTag;
  const { id } = addVersion(worker, bindings, keeps.includes('secret_text'));
  addDeployment(worker, [{ version_id: id, percentage: 100 }]);
  return ok({ id: name, deployment_id: id, startup_time_ms: 1 });
}

function deployVersions({ account, call }: Context, worker: Worker): PlatformResponse {
  const { versions = [] } = jsonOf<Deployment>(call.body);
  const [first] = versions;
  const target = worker.versions.find(({ id }) => id === first?.version_id);
  if (!target || versions.some(({ version_id }) => !worker.versions.some(({ id }) => id === version_id)))
    return failed(404, 10007, 'This version does not exist.');
  const changed = versions.length === 1 && call.query.get('force') !== 'true' ? changedSecrets(worker, target) : [];
  const text = `A secret has been changed since this version was deployed. The following secrets have changed: ${changed.join(', ')}`;
  if (changed.length > 0) return failed(400, 10220, text);
  account.serving = Object.keys(account.workers).find((name) => account.workers[name] === worker) ?? '';
  return ok(addDeployment(worker, versions));
}

const shownVersion = ({ id, number, created_on }: Version) => ({
  id,
  number,
  metadata: { created_on, source: 'wrangler', has_preview: false },
  annotations: {},
});

function showVersion(_: Context, worker: Worker, id: string): PlatformResponse {
  const version = worker.versions.find((one) => one.id === id);
  if (!version) return failed(404, 10007, 'This version does not exist.');
  // Names of secrets are shown, values are not.
  const bindings = version.bindings.map(({ hash, ...binding }) => binding);
  return ok({ ...shownVersion(version), resources: { bindings, script: { etag: 'etag' }, script_runtime: {} } });
}

function setSubdomain({ call }: Context, worker: Worker): PlatformResponse {
  worker.subdomain = { ...worker.subdomain, ...jsonOf<Worker['subdomain']>(call.body) };
  return ok(worker.subdomain);
}

/** Requests and errors by version, and no storage: the analytics of the whole account. */
function analytics({ account }: Context): PlatformResponse {
  if (!account.mayReadAnalytics) return { status: 200, body: { data: null, errors: [{ message: 'not authorized for that account' }] } };
  const workersInvocationsAdaptive = Object.entries(account.counts).map(([scriptVersion, sum]) => ({ sum, dimensions: { scriptVersion } }));
  const groups = { workersInvocationsAdaptive, r2StorageAdaptiveGroups: [], r2OperationsAdaptiveGroups: [] };
  return { status: 200, body: { data: { viewer: { accounts: [groups] } }, errors: null } };
}

const SCRIPT = '/accounts/:account/workers/scripts/:name';

/** The requests that wrangler and the commands send. `:account` matches the account, another part any text. */
const ROUTES: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ['GET', '/user', () => ok({ id: 'user', email: 'operator@game.test' })],
  ['GET', '/user/tokens/verify', () => ok({ id: 'token', status: 'active' })],
  ['GET', '/memberships', ({ call }) => paged([{ id: 'member', account: { id: ACCOUNT_ID, name: 'Loopback' } }], call.query, 20)],
  ['GET', '/accounts', ({ call }) => paged([{ id: ACCOUNT_ID, name: 'Loopback' }], call.query, 20)],
  ['POST', '/graphql', analytics],
  ['GET', '/zones', ({ call }) => paged([{ id: 'f'.repeat(32), name: call.query.get('name') ?? 'localhost' }], call.query, 20)],
  ['GET', '/zones/:zone/workers/routes', () => ok([])],
  ['GET', '/accounts/:account/d1/database', listDatabases],
  ['POST', '/accounts/:account/d1/database', createDatabase],
  ['GET', '/accounts/:account/d1/database/:id', forDatabase((_, database) => ok({ ...database, file_size: 4096, num_tables: 0 }))],
  [
    'PUT',
    '/accounts/:account/d1/database/:id',
    forDatabase(({ call }, database) => ok(Object.assign(database, jsonOf<object>(call.body)))),
  ],
  ['POST', '/accounts/:account/d1/database/:id/query', forDatabase(queryDatabase)],
  ['POST', '/accounts/:account/d1/database/:id/raw', forDatabase(queryRaw)],
  ['POST', '/accounts/:account/d1/database/:id/import', forDatabase(importFile)],
  ['GET', '/accounts/:account/storage/kv/namespaces', ({ account, call }) => paged(account.namespaces, call.query, 20)],
  ['POST', '/accounts/:account/storage/kv/namespaces', createNamespace],
  ['GET', '/accounts/:account/r2/buckets', ({ account }) => ok({ buckets: account.buckets.map(bucketOf) })],
  ['POST', '/accounts/:account/r2/buckets', createBucket],
  [
    'GET',
    '/accounts/:account/r2/buckets/:name',
    ({ account }, name = '') =>
      account.buckets.includes(name) ? ok(bucketOf(name)) : failed(404, 10006, 'The specified bucket does not exist.'),
  ],
  ['GET', '/accounts/:account/workers/subdomain', () => ok({ subdomain: 'loopback' })],
  [
    'GET',
    '/accounts/:account/workers/services/:name',
    (context, name = '') =>
      forWorker((_, { migrationTag }) => {
        const script = { id: name, tag: 'tag', tags: [], migration_tag: migrationTag, last_deployed_from: 'wrangler' };
        return ok({ id: name, default_environment: { environment: 'production', script } });
      })(context, name),
  ],
  ['GET', '/accounts/:account/workers/services/:name/environments/:environment/bindings', forWorker(() => ok([]))],
  ['GET', '/accounts/:account/workers/workers/:name', forWorker((_, { subdomain }) => ok({ subdomain }))],
  ['GET', '/accounts/:account/workers/domains/records', () => ok([])],
  ['PUT', SCRIPT, (context, name = '') => putScript(context, name)],
  ['GET', `${SCRIPT}/secrets`, forWorker((_, worker) => ok(secretsOf(worker).map(({ name, type }) => ({ name, type }))))],
  ['PUT', `${SCRIPT}/secrets`, forWorker(putSecret)],
  ['DELETE', `${SCRIPT}/secrets/:secret`, forWorker((context, worker, secret = '') => deleteSecret(context, worker, secret))],
  ['GET', `${SCRIPT}/versions`, forWorker((_, { versions }) => ok({ items: versions.map(shownVersion) }))],
  ['POST', `${SCRIPT}/versions`, forWorker(uploadVersion)],
  ['GET', `${SCRIPT}/versions/:version`, forWorker((context, worker, version = '') => showVersion(context, worker, version))],
  ['GET', `${SCRIPT}/deployments`, forWorker((_, { deployments }) => ok({ deployments }))],
  ['POST', `${SCRIPT}/deployments`, forWorker(deployVersions)],
  ['POST', `${SCRIPT}/assets-upload-session`, () => ok({ jwt: 'assets', buckets: [] })],
  ['GET', `${SCRIPT}/settings`, forWorker(() => ok({ bindings: [], tags: [] }))],
  ['PATCH', `${SCRIPT}/settings`, forWorker(() => ok({}))],
  ['PATCH', `${SCRIPT}/script-settings`, forWorker(() => ok({}))],
  ['GET', `${SCRIPT}/subdomain`, forWorker((_, { subdomain }) => ok(subdomain))],
  ['POST', `${SCRIPT}/subdomain`, forWorker(setSubdomain)],
  ['POST', `${SCRIPT}/domains/changeset`, forWorker(() => ok({ added: [], removed: [], updated: [], conflicting: [] }))],
  ['PUT', `${SCRIPT}/domains/records`, forWorker(() => ok([]))],
  ['PUT', `${SCRIPT}/routes`, forWorker(() => ok([]))],
  ['PUT', `${SCRIPT}/schedules`, forWorker(() => ok({ schedules: [] }))],
];

const MATCHERS = ROUTES.map(([method, path, handler]) => {
  const source = path.replaceAll(':account', ACCOUNT_ID).replaceAll(/:\w+/g, '([^/]+)');
  return { method, pattern: new RegExp(`^${source}$`), handler };
});

/** Responds to a request of the API; 404 with code 7003 to one that it does not have. */
export function respondAsPlatform(context: Context): PlatformResponse {
  const { method, path, authorization } = context.call;
  if (authorization !== `Bearer ${API_TOKEN}`) return failed(401, 10000, 'Authentication error');
  for (const matcher of MATCHERS) {
    const parts = matcher.method === method ? matcher.pattern.exec(path) : null;
    if (parts) return matcher.handler(context, ...parts.slice(1).map(decodeURIComponent));
  }
  return failed(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`);
}

/** Stores an uploaded file of SQL under its hash, which the response repeats. */
export function storeUpload(account: Account, body: string): string {
  const etag = createHash('md5').update(body).digest('hex');
  account.uploads[etag] = body;
  return etag;
}

/** The service: the header `Cloudflare-Workers-Version-Overrides` selects a version that is deployed, else the larger share does. */
export function respondAsService(account: Account, path: string, override: string | undefined): PlatformResponse {
  const [, name, wanted] = /^([\w-]+)="([\w-]+)"$/.exec(override ?? '') ?? [];
  const worker = account.workers[name ?? account.serving];
  const shares = worker?.deployments[0]?.versions ?? [];
  if (!worker || shares.length === 0) return { status: 522, body: { error: 'no Worker at this address' } };
  const chosen = shares.find(({ version_id }) => version_id === wanted) ?? shares.toSorted((a, b) => b.percentage - a.percentage)[0];
  const isBroken = chosen?.version_id === worker.versions[0]?.id && path === account.brokenPath;
  return { status: isBroken ? 500 : 200, body: { status: 'ok', version: chosen?.version_id } };
}
