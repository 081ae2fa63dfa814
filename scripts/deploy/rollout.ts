import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { integerOf, objectOf, objectsIn, textOf } from '../../src/platform/kit/values/json-values.ts';
import { CommandError, runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import { runDeployStep, StepError } from './deploy-steps.ts';
import type { EnvironmentName } from './options.ts';
import {
  type Account,
  apiBase,
  type Deployment,
  deployVersions,
  platformId,
  REQUEST_TIMEOUT_MS,
  readAccount,
  readDeployments,
  readVersion,
  reasonOf,
  requestPlatform,
  type VersionValues,
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
  /** The command that repeats the deployment. */
  command: string;
  pause?: (milliseconds: number) => Promise<unknown>;
  wrangler?: typeof runWrangler;
}

/** Requests and uncaught errors of a version. */
export interface VersionCounts {
  requests: number;
  errors: number;
}

/**
 * Uploads a version and increases its share of the requests. A failed smoke test or a higher error rate gives all requests back to the
 * running version. The first version, and one with a migration of objects, gets all requests at once. Throws StepError.
 */
export async function rollOut(options: RolloutOptions): Promise<void> {
  const { environment, origin, secrets, waitMs, command, pause = sleep, wrangler = runWrangler } = options;
  const name = nameOf(environment);
  const before = { name: 'preparing the rollout', stands: 'the Worker is unchanged; applied migrations stay', next: command };
  const { account, running } = await runDeployStep(before, async () => {
    const account = await readAccount(environment);
    const running = await readRunningVersion(account, environment, name);
    // Before the upload: without the permission the rollout could not be observed.
    if (running !== null) await readCounts(account, name, new Date());
    return { account, running };
  });
  const unchanged = `version ${running} still gets all requests; applied migrations stay`;
  const uploading = { name: 'uploading the new version', stands: unchanged, next: command };
  const version = running === null ? null : await runDeployStep(uploading, () => upload(wrangler, environment, secrets));
  if (running === null || version === null) {
    const reason = running === null ? 'this is the first version' : 'the version adds or changes an object class';
    console.log(`${environment}: ${reason}: it gets all requests at once`);
    return await deployAtOnce({ ...options, name, pause, wrangler });
  }
  try {
    await setShare(account, { environment, name, running, version, share: 0 });
    await smoke({ origin, name, pause, version });
    for (const share of SHARES) {
      const since = new Date();
      await setShare(account, { environment, name, running, version, share });
      if (share === 100) break;
      await pause(waitMs);
      await smoke({ origin, name, pause, version });
      const counts = await readCounts(account, name, since);
      const { requests, errors } = countsOf(counts, version);
      console.log(`${environment}: ${requests} requests, ${errors} errors of the new version`);
      if (failsMore(counts, version)) throw new UserError('the new version fails more often than the running one');
    }
  } catch (error) {
    throw new StepError(`${messageOf(error)}\n\n${await restoreRunning(account, { environment, name, running, command, secrets })}`);
  }
  const triggers = `npx wrangler triggers deploy --env ${environment}`;
  const stands = `version ${version} gets all requests, but routes and cron triggers may not be up to date`;
  // Routes and cron triggers do not belong to a version.
  await runDeployStep({ name: 'updating routes and cron triggers', stands, next: triggers }, async () => {
    console.log((await wrangler(['triggers', 'deploy', '--env', environment])).output.trim());
  });
}

/** Uploads a version that gets all requests. */
async function deployAtOnce({ environment, origin, secrets, command, name, pause, wrangler }: Required<RolloutOptions> & { name: string }) {
  const stands = `the Worker may be deployed or not: npx wrangler deployments status --env ${environment}`;
  await runDeployStep({ name: 'deploying the Worker', stands, next: command }, async () => {
    console.log((await wrangler(['deploy', '--env', environment, ...secrets])).output.trim());
  });
  const isDeployed = `the new version gets all requests, at ${origin}; a new domain may need some minutes`;
  const next = `look at ${origin}/health and at npx wrangler tail --env ${environment}; then ${command}`;
  await runDeployStep({ name: 'the smoke test', stands: isDeployed, next }, () => smoke({ origin, name, pause }));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Gives all requests to the running version again. Returns what stands then and what to run next. */
async function restoreRunning(
  account: Account,
  {
    environment,
    name,
    running,
    command,
    secrets,
  }: Required<Pick<RolloutOptions, 'environment' | 'command' | 'secrets'>> & Record<'name' | 'running', string>,
): Promise<string> {
  try {
    // It comes back with its own secrets, also if the upload changed some.
    const shares = [{ version_id: running, percentage: 100 }];
    await deployVersions(account, name, { shares, message: 'the rollout failed', brings: true });
    // The next version takes the secrets of the newest one over.
    const uploaded = secrets.length > 0 ? '; the next deployment has the secrets that were uploaded with this one' : '';
    return `Failed: the rollout\nNow:    version ${running} gets all requests again; applied migrations stay${uploaded}\nNext:   ${command}`;
  } catch (error) {
    return `${messageOf(error)}\n\nFailed: the rollout, and giving all requests back to version ${running}
Now:    the new version may still get requests: npx wrangler deployments status --env ${environment}
Next:   npx wrangler versions deploy ${running}@100 --yes --env ${environment}`;
  }
}

/**
 * Gives all requests to the version before the running one; during a rollout to the running one. Applied database migrations stay. A
 * version carries its variables and secrets: differences of variables are printed; past a changed or deleted secret the command stops
 * unless `withOldSecrets`.
 */
export async function rollBack(environment: EnvironmentName, { withOldSecrets = false } = {}): Promise<void> {
  const command = `npm run deploy -- ${environment} --rollback${withOldSecrets ? ' --with-old-secrets' : ''}`;
  const worker = nameOf(environment);
  const step = { name: 'preparing the rollback', stands: 'nothing was changed', next: command };
  const { account, target, secrets } = await runDeployStep(step, async () => {
    const account = await readAccount(environment);
    const deployments = await readDeployments(account, worker);
    const target = targetOfRollback(deployments);
    if (target === undefined) throw new StepError(`${environment}: no earlier version to go back to was found.`);
    const running = deployments[0]?.versions.at(-1)?.version_id ?? target;
    const [now, then] = await Promise.all([running, target].map((id) => readVersion(account, worker, id)));
    return { account, target, secrets: now && then ? printDifferences(environment, now, then) : [] };
  });
  if (!withOldSecrets) refuseOldSecrets(target, secrets);
  const deploying = {
    name: 'giving the requests to the earlier version',
    stands: `not known: npx wrangler deployments status --env ${environment} names the version that gets the requests; ${target} is the one to go back to`,
    next: `npx wrangler versions deploy ${target}@100 --yes --env ${environment}`,
  };
  const shares = [{ version_id: target, percentage: 100 }];
  const { changedSecrets } = await runDeployStep(deploying, () =>
    deployVersions(account, worker, { shares, message: command, brings: withOldSecrets }),
  );
  refuseOldSecrets(target, changedSecrets);
  console.log(`${environment}: version ${target} gets all requests`);
  console.log(
    `Until the next deployment wrangler secret put is refused: npm run deploy -- ${environment} --secrets-file FILE sets a secret.`,
  );
}

/** Throws StepError when secrets would come back. */
function refuseOldSecrets(target: string, names: readonly string[]): void {
  if (names.length === 0) return;
  throw new StepError(
    `Not rolled back: version ${target} has the old values of ${names.join(', ')}. To keep the new values, deploy the older commit ` +
      'instead (npm run deploy). To bring the old values back as well, add --with-old-secrets. See "Roll back" in docs/operations/runbook.md.',
  );
}

/**
 * The version to go back to. During a rollout: the version that had all requests before it. Else the newest version that had all requests
 * before the running one first had them: a second rollback must not return to the version that the first one left. Pure.
 */
export function targetOfRollback(deployments: readonly Deployment[]): string | undefined {
  const singles = deployments.map(({ versions }) => (versions.length === 1 ? versions[0]?.version_id : undefined));
  const running = singles[0];
  return singles.slice(running === undefined ? 1 : singles.lastIndexOf(running) + 1).find((id) => id !== undefined);
}

/** Prints the variables and secrets that two versions do not have in common. Returns the names of secrets that were deleted since. */
function printDifferences(environment: EnvironmentName, now: VersionValues, then: VersionValues): string[] {
  const print = (what: string, lines: readonly string[]) => {
    if (lines.length > 0) console.log(`${environment}: ${what}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  };
  print('variables go back with the code', changedVariables(now.variables, then.variables));
  print('secrets that the earlier version lacks', [...now.secrets].filter((name) => !then.secrets.has(name)).toSorted());
  return [...then.secrets].filter((name) => !now.secrets.has(name)).toSorted();
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
async function readRunningVersion(account: Account, environment: EnvironmentName, worker: string): Promise<string | null> {
  const [newest] = await readDeployments(account, worker);
  if (newest === undefined) return null;
  const running = newest.versions.find(({ percentage }) => percentage === 100);
  if (running) return running.version_id;
  throw new StepError(
    `An earlier rollout is incomplete, nothing was changed. First npm run deploy -- ${environment} --rollback: it gives all requests to the version before the rollout.`,
  );
}

/** Id of the uploaded version; null when it has a migration of objects, which cannot be uploaded without a deployment. */
async function upload(wrangler: typeof runWrangler, environment: EnvironmentName, secrets: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(folder, 'output.ndjson');
  try {
    await wrangler(['versions', 'upload', '--env', environment, ...secrets], { WRANGLER_OUTPUT_FILE_PATH: file });
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

interface Share {
  environment: EnvironmentName;
  name: string;
  running: string;
  version: string;
  /** Percentage of the requests for the new version. */
  share: number;
}

/** The running version comes first in every deployment: objects that have the new version keep it. */
async function setShare(account: Account, { environment, name, running, version, share }: Share): Promise<void> {
  const rest = share === 100 ? [] : [{ version_id: running, percentage: 100 - share }];
  const shares = [...rest, { version_id: version, percentage: share }];
  await deployVersions(account, name, { shares, message: `npm run deploy -- ${environment}` });
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
    if (tries === VISIBLE_TRIES)
      throw new UserError(
        `${origin}/health does not respond${version === undefined ? '' : ` with version ${version}`}: ${response instanceof Response ? `status ${response.status}` : reasonOf(response)}`,
      );
    await pause(VISIBLE_PAUSE_MS);
  }
  for (const path of SMOKE_PATHS) {
    const response = await get(path).catch((error: unknown) => error as Error);
    if (!(response instanceof Response)) throw new UserError(`smoke test: ${path}: ${reasonOf(response)}`);
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
