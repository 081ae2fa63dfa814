import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { integerOf, objectOf, objectsIn, textOf } from '../../src/platform/kit/values/json-values.ts';
import { CommandError, runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';
import {
  type Account,
  apiBase,
  type Deployment,
  deployVersion,
  platformId,
  REQUEST_TIMEOUT_MS,
  readAccount,
  readDeployments,
  readVariables,
  requestPlatform,
} from './platform-api.ts';

/** Percentages of the requests that a new version gets, one after the other. */
const SHARES = [10, 50, 100] as const;
/** Pages of the smoke test: the front page, the document, an object, the database, the state of all parts. */
const SMOKE_PATHS = ['/', '/openapi.json', '/v1/rotations/server-time', '/v1/mods', '/v1/status'] as const;
/** A new deployment takes some seconds to reach every location. */
const VISIBLE_TRIES = 30;
const VISIBLE_PAUSE_MS = 2000;
/** Errors of a new version that stop nothing, and the maximum excess of its error rate over that of the running version. */
const MAX_FREE_ERRORS = 3;
const MAX_EXCESS_RATE = 0.01;

export interface RolloutOptions {
  environment: EnvironmentName;
  /** Public address of the service. */
  origin: string;
  /** Arguments of wrangler that upload secrets. */
  secrets: readonly string[];
  /** Observation time of each share. */
  waitMs: number;
  pause?: (milliseconds: number) => Promise<unknown>;
}

/** Requests and uncaught errors of a version. */
export interface VersionCounts {
  requests: number;
  errors: number;
}

/**
 * Uploads a version and increases its share of the requests. A failed smoke test or a higher error rate gives all requests back to the
 * running version. The first version, and one with a migration of objects, gets all requests at once.
 */
export async function rollOut({ environment, origin, secrets, waitMs, pause = sleep }: RolloutOptions): Promise<void> {
  const running = await readRunningVersion(environment);
  const name = nameOf(environment);
  const account = running === null ? null : await readAccount(environment);
  // Before the upload: without the permission the rollout could not be observed.
  if (account) await readCounts(account, name, new Date());
  const version = running === null ? null : await upload(environment, secrets);
  if (running === null || version === null || account === null) {
    const reason = running === null ? 'this is the first version' : 'the version adds or changes an object class';
    console.log(`${environment}: ${reason}: it gets all requests at once`);
    console.log((await runWrangler(['deploy', '--env', environment, ...secrets])).output.trim());
    return await smoke({ origin, name, pause });
  }
  try {
    await setShare(environment, running, version, 0);
    await smoke({ origin, name, pause, version });
    for (const share of SHARES) {
      const since = new Date();
      await setShare(environment, running, version, share);
      if (share === 100) break;
      await pause(waitMs);
      await smoke({ origin, name, pause, version });
      const counts = await readCounts(account, name, since);
      const { requests, errors } = countsOf(counts, version);
      console.log(`${environment}: ${requests} requests, ${errors} errors of the new version`);
      if (failsMore(counts, version)) throw new UserError('the new version fails more often than the running one');
    }
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n${await restoreRunning(account, { environment, name, running })}`);
  }
  try {
    // Routes and cron triggers do not belong to a version.
    console.log((await runWrangler(['triggers', 'deploy', '--env', environment])).output.trim());
  } catch (error) {
    throw new UserError(
      `${messageOf(error)}\nVersion ${version} gets all requests, but routes and cron triggers are not up to date: npx wrangler triggers deploy --env ${environment}`,
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Gives all requests to the running version again. Returns what the operator has to know. */
async function restoreRunning(
  account: Account,
  { environment, name, running }: { environment: EnvironmentName; name: string; running: string },
) {
  try {
    // It comes back with its own secrets, also if the upload changed some.
    await deployVersion(account, name, { version: running, message: 'the rollout failed', brings: true });
    return `Version ${running} gets all requests again.`;
  } catch (error) {
    return `${messageOf(error)}\nVersion ${running} could not be given all requests again: the new version may still get some. Run npm run deploy -- ${environment} --rollback`;
  }
}

/**
 * Gives all requests to the newest version that had them before. Applied database migrations stay. A version carries its variables and
 * secrets: differences of variables are printed; past a changed secret the command stops unless `withOldSecrets`.
 */
export async function rollBack(environment: EnvironmentName, { withOldSecrets = false } = {}): Promise<void> {
  const account = await readAccount(environment);
  const worker = nameOf(environment);
  const [current, ...earlier] = await readDeployments(account, worker);
  const running = current?.versions.map(({ version_id }) => version_id) ?? [];
  const isTarget = ({ versions }: Deployment) => versions.length === 1 && (running.length > 1 || versions[0]?.version_id !== running[0]);
  const target = earlier.find(isTarget)?.versions[0]?.version_id;
  if (target === undefined) throw new UserError(`${environment}: no earlier version to go back to was found.`);
  const [before, after] = await Promise.all([...running.slice(-1), target].map((id) => readVariables(account, worker, id)));
  const changes = before && after ? changedVariables(before, after) : [];
  if (changes.length > 0) console.log(`${environment}: variables go back with the code:\n${changes.map((line) => `  ${line}`).join('\n')}`);
  const message = `npm run deploy -- ${environment} --rollback`;
  const { changedSecrets } = await deployVersion(account, worker, { version: target, message, brings: withOldSecrets });
  if (changedSecrets.length > 0)
    throw new UserError(
      `Not rolled back: version ${target} has the old values of ${changedSecrets.join(', ')}. To keep the new values, deploy the older commit ` +
        'instead (npm run deploy). To bring the old values back as well, add --with-old-secrets. See "Roll back" in docs/operations/runbook.md.',
    );
  console.log(`${environment}: version ${target} gets all requests`);
}

/** The variables that two versions do not have in common, as `NAME: "now" -> "then"`. Pure. */
function changedVariables(now: ReadonlyMap<string, string>, then: ReadonlyMap<string, string>): string[] {
  const shown = (value: string | undefined) => (value === undefined ? 'not set' : JSON.stringify(value));
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter((name) => now.get(name) !== then.get(name))
    .toSorted()
    .map((name) => `${name}: ${shown(now.get(name))} -> ${shown(then.get(name))}`);
}

/** Whether a version has a higher error rate than the others together. Pure. */
export function failsMore(counts: ReadonlyMap<string, VersionCounts>, version: string): boolean {
  const own = countsOf(counts, version);
  const others = { requests: 0, errors: 0 };
  for (const [id, { requests, errors }] of counts) {
    if (id === version) continue;
    others.requests += requests;
    others.errors += errors;
  }
  const rateOf = ({ requests, errors }: VersionCounts) => (requests === 0 ? 0 : errors / requests);
  return own.errors > MAX_FREE_ERRORS && rateOf(own) > rateOf(others) + MAX_EXCESS_RATE;
}

function countsOf(counts: ReadonlyMap<string, VersionCounts>, version: string): VersionCounts {
  return counts.get(version) ?? { requests: 0, errors: 0 };
}

function nameOf(environment: EnvironmentName): string {
  return readWranglerConfig(environment).name ?? '';
}

/** The version with all requests; null before the first deployment. */
async function readRunningVersion(environment: EnvironmentName): Promise<string | null> {
  try {
    const { stdout } = await runWrangler(['deployments', 'status', '--json', '--env', environment]);
    const { versions } = JSON.parse(stdout) as { versions: { version_id: string; percentage: number }[] };
    const running = versions.find(({ percentage }) => percentage === 100);
    if (!running) throw new UserError(`An earlier rollout is incomplete: npm run deploy -- ${environment} --rollback`);
    return platformId(running.version_id, 'version id');
  } catch (error) {
    if (error instanceof CommandError && /does not exist|no deployments|10007/i.test(error.output)) return null;
    throw error;
  }
}

/** Id of the uploaded version; null when it has a migration of objects, which cannot be uploaded without a deployment. */
async function upload(environment: EnvironmentName, secrets: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(folder, 'output.ndjson');
  try {
    await runWrangler(['versions', 'upload', '--env', environment, ...secrets], { WRANGLER_OUTPUT_FILE_PATH: file });
    const entries = readFileSync(file, 'utf8').trim().split('\n');
    const uploaded = entries.map((line) => JSON.parse(line) as { type: string; version_id?: string | null });
    const id = uploaded.find(({ type }) => type === 'version-upload')?.version_id;
    if (!id) throw new UserError('wrangler versions upload wrote no version id');
    return platformId(id, 'version id');
  } catch (error) {
    if (error instanceof CommandError && /pending Durable Object migration/i.test(error.output)) return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The running version comes first in every deployment: objects that have the new version keep it. */
async function setShare(environment: EnvironmentName, running: string, version: string, share: number): Promise<void> {
  const specs = share === 100 ? [`${version}@100`] : [`${running}@${100 - share}`, `${version}@${share}`];
  await runWrangler(['versions', 'deploy', ...specs, '--yes', '--env', environment]);
  console.log(`${environment}: version ${version} gets ${share} % of the requests`);
}

interface SmokeOptions extends Required<Pick<RolloutOptions, 'origin' | 'pause'>> {
  name: string;
  /** Sends the requests to this version; without it the deployment chooses. */
  version?: string;
}

/** Throws unless the version responds to every path of the smoke test with 200. */
async function smoke({ origin, name, pause, version }: SmokeOptions): Promise<void> {
  const headers: HeadersInit = version === undefined ? {} : { 'Cloudflare-Workers-Version-Overrides': `${name}="${version}"` };
  const get = (path: string) => fetch(origin + path, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  for (let tries = 1; ; tries += 1) {
    const response = await get('/health').catch((error: unknown) => error as Error);
    const health = response instanceof Response ? await response.json().catch(() => ({})) : {};
    const isOk = response instanceof Response && response.ok;
    if (isOk && (version === undefined || (health as { version?: string }).version === version)) break;
    if (tries === VISIBLE_TRIES) throw new UserError(`${origin}/health does not respond with version ${version ?? 'any'}`);
    await pause(VISIBLE_PAUSE_MS);
  }
  for (const path of SMOKE_PATHS) {
    const response = await get(path);
    await response.body?.cancel();
    if (response.status !== 200) throw new UserError(`smoke test: ${path} returned ${response.status}`);
  }
}

const COUNTS = `query ($account: String!, $name: String!, $since: Time!, $until: Time!) {
  viewer { accounts(filter: { accountTag: $account }) {
    workersInvocationsAdaptive(limit: 100, filter: { scriptName: $name, datetime_geq: $since, datetime_leq: $until }) {
      sum { requests errors }
      dimensions { scriptVersion }
    }
  } }
}`;

/** Requests and errors of each version since a time, from the platform's analytics, which lag by a few minutes. */
async function readCounts({ id, token }: Account, name: string, since: Date): Promise<Map<string, VersionCounts>> {
  const variables = { account: id, name, since: since.toISOString(), until: new Date().toISOString() };
  const { json, status } = await requestPlatform(`${apiBase()}/graphql`, token, { method: 'POST', body: { query: COUNTS, variables } });
  const [error] = objectsIn(json.errors);
  const [account] = objectsIn(objectOf(objectOf(json.data).viewer).accounts);
  if (error || !account)
    throw new UserError(
      `error rates cannot be read (${textOf(error?.message) ?? status}): the token needs the permission Account Analytics: Read`,
    );
  const counts = new Map<string, VersionCounts>();
  for (const { sum, dimensions } of objectsIn(account.workersInvocationsAdaptive)) {
    const version = String(objectOf(dimensions).scriptVersion);
    const { requests, errors } = countsOf(counts, version);
    const { requests: more, errors: failed } = objectOf(sum);
    counts.set(version, { requests: requests + (integerOf(more) ?? 0), errors: errors + (integerOf(failed) ?? 0) });
  }
  return counts;
}
