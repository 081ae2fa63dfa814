import { integerOf, type JsonObject, objectOf, objectsIn, textOf } from '../../src/platform/kit/values/json-values.ts';
import { readBounded } from '../../src/platform/upstream/response-body.ts';
import { CommandError, runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';

/** Base of the platform's REST API. */
export const apiBase = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
export const REQUEST_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_SHOWN_LENGTH = 300;
const PER_PAGE = 100;
const MAX_PAGES = 100;
/** Code of a request about a Worker that does not exist. */
const NO_WORKER = 10007;
/** Code of the refusal to deploy an older version after a secret was changed, and the text in front of the names. */
const SECRETS_CHANGED = 10220;
const CHANGED_NAMES = 'The following secrets have changed:';

export interface Account {
  id: string;
  token: string;
}

type Shares = readonly { version_id: string; percentage: number }[];

export interface Deployment {
  created_on: string;
  versions: Shares;
}

/** The values that a version carries. Values of secrets cannot be read. */
export interface VersionValues {
  variables: ReadonlyMap<string, string>;
  secrets: ReadonlySet<string>;
}

/** A response of the platform. */
export interface PlatformReply {
  status: number;
  isOk: boolean;
  /** The object of the body; empty for another body. */
  json: JsonObject;
  /** The start of the body, for messages. */
  excerpt: string;
}

/** A failed request. `isUnclear`: it may have had its effect, because the response was lost or the platform failed. */
export class PlatformError extends UserError {
  readonly codes: readonly number[];
  readonly isUnclear: boolean;

  constructor(message: string, { codes = [], isUnclear }: { codes?: readonly number[]; isUnclear: boolean }) {
    super(message);
    this.codes = codes;
    this.isUnclear = isUnclear;
  }
}

/** An id of the platform, which becomes part of a path, of a command and of wrangler.toml. Throws UserError for another value. */
export function platformId(value: unknown, what: string): string {
  if (typeof value === 'string' && /^\w[\w-]{0,99}$/.test(value)) return value;
  throw new UserError(`the platform returned an invalid ${what}: ${String(JSON.stringify(value)).slice(0, MAX_SHOWN_LENGTH)}`);
}

/**
 * The account of an environment with the token of `CLOUDFLARE_API_TOKEN` or of wrangler; null without either. Throws UserError when the
 * account is not unique, or wrangler has an API key only.
 */
export async function findAccount(environment: EnvironmentName): Promise<Account | null> {
  const token = process.env.CLOUDFLARE_API_TOKEN || (await tokenOfWrangler());
  if (token === null) return null;
  const configured = readWranglerConfig(environment).account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (configured) return { id: platformId(configured, 'account id'), token };
  const reply = await requestPlatform(`${apiBase()}/accounts?per_page=5`, token, {});
  const accounts = objectsIn(resultOf(reply, 'the accounts of the token cannot be read'));
  if (accounts.length !== 1) throw new UserError('set CLOUDFLARE_ACCOUNT_ID: the token has access to several accounts');
  return { id: platformId(accounts[0]?.id, 'account id'), token };
}

/** `findAccount`. Throws UserError without a token. */
export async function readAccount(environment: EnvironmentName): Promise<Account> {
  const account = await findAccount(environment);
  if (account === null) throw new UserError(NOT_SIGNED_IN);
  return account;
}

export const NOT_SIGNED_IN = 'not signed in: npx wrangler login, or set CLOUDFLARE_API_TOKEN';

async function tokenOfWrangler(): Promise<string | null> {
  try {
    const { token } = objectIn((await runWrangler(['auth', 'token', '--json'])).stdout);
    if (typeof token !== 'string') throw new UserError('an API key is not enough: set CLOUDFLARE_API_TOKEN, or npx wrangler login');
    return token;
  } catch (error) {
    if (error instanceof CommandError && /not logged in|CLOUDFLARE_API_TOKEN/i.test(error.output)) return null;
    throw error;
  }
}

/** Sends a request about the account. Returns the result of the response. Throws PlatformError with `what` in front of the reason. */
export async function requestAccount(
  { id, token }: Account,
  path: string,
  { what = `${path} cannot be read`, ...options }: RequestOptions & { what?: string } = {},
): Promise<unknown> {
  return resultOf(await requestPlatform(`${apiBase()}/accounts/${id}${path}`, token, options), what);
}

/** Every item of a list that comes in pages. */
export async function listAccount(account: Account, path: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = objectsIn(await requestAccount(account, `${path}?page=${page}&per_page=${PER_PAGE}`));
    items.push(...found);
    if (found.length < PER_PAGE) return items;
  }
  throw new UserError(`${path} has more than ${MAX_PAGES * PER_PAGE} entries`);
}

/** The result of a request about a Worker; null when the Worker does not exist. */
export async function requestWorker(account: Account, path: string): Promise<unknown> {
  try {
    return await requestAccount(account, path);
  } catch (error) {
    if (error instanceof PlatformError && error.codes.includes(NO_WORKER)) return null;
    throw error;
  }
}

/** The deployments of a Worker, newest first; empty when it does not exist. */
export async function readDeployments(account: Account, worker: string): Promise<Deployment[]> {
  const { deployments } = objectOf(await requestWorker(account, `/workers/scripts/${worker}/deployments`));
  return objectsIn(deployments)
    .map(({ created_on, versions }) => ({
      created_on: textOf(created_on) ?? '',
      versions: objectsIn(versions).map(({ version_id, percentage }) => ({
        version_id: platformId(version_id, 'version id'),
        percentage: Number(percentage),
      })),
    }))
    .toSorted((one, other) => Date.parse(other.created_on) - Date.parse(one.created_on));
}

/** Reads the variables and the names of the secrets of a version. */
export async function readVersion(account: Account, worker: string, version: string): Promise<VersionValues> {
  const { resources } = objectOf(await requestAccount(account, `/workers/scripts/${worker}/versions/${version}`));
  const variables = new Map<string, string>();
  const secrets = new Set<string>();
  for (const { type, name, text, json } of objectsIn(objectOf(resources).bindings)) {
    if (type === 'plain_text') variables.set(String(name), textOf(text) ?? '');
    else if (type === 'json') variables.set(String(name), JSON.stringify(json));
    else if (type === 'secret_text') secrets.add(String(name));
  }
  return { variables, secrets };
}

/**
 * Gives versions their shares of the requests. The platform refuses a version that is older than a change of a secret, because the old
 * value comes back with it: then the names of these secrets are returned, and nothing changes. `brings`: deploy it all the same. When the
 * outcome is unclear, it reads the deployments. Throws PlatformError.
 */
export async function deployVersions(
  account: Account,
  worker: string,
  { shares, message, brings = false }: { shares: Shares; message: string; brings?: boolean },
): Promise<{ changedSecrets: string[] }> {
  const body = { strategy: 'percentage', versions: shares, annotations: { 'workers/message': message } };
  const what = `${shares.map(({ version_id, percentage }) => `${version_id} at ${percentage} %`).join(', ')} was not deployed`;
  try {
    await requestAccount(account, `/workers/scripts/${worker}/deployments${brings ? '?force=true' : ''}`, { method: 'POST', body, what });
    return { changedSecrets: [] };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.codes.includes(SECRETS_CHANGED)) return { changedSecrets: namesIn(error.message) };
    if (error.isUnclear && (await isDeployed(account, worker, shares))) return { changedSecrets: [] };
    throw error;
  }
}

/** The names in the refusal, which the platform writes as `…: A, B`, and this file with the code behind it. */
function namesIn(message: string): string[] {
  const names = message.split(CHANGED_NAMES)[1] ?? message;
  return names
    .replace(` (${SECRETS_CHANGED})`, '')
    .split(',')
    .map((name) => name.trim());
}

/** Whether the newest deployment has these shares; false when it cannot be read. */
async function isDeployed(account: Account, worker: string, shares: Shares): Promise<boolean> {
  try {
    const [newest] = await readDeployments(account, worker);
    const shown = (versions: Shares) => versions.map(({ version_id, percentage }) => `${version_id}@${percentage}`).toSorted();
    return newest !== undefined && shown(newest.versions).join() === shown(shares).join();
  } catch {
    return false;
  }
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT';
  body?: unknown;
}

/** Sends a request to the API of the platform. Redirects are refused: the token is for this address only. */
export async function requestPlatform(url: string, token: string, { method = 'GET', body }: RequestOptions): Promise<PlatformReply> {
  try {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { status, ok: isOk } = response;
    const text = new TextDecoder().decode(await readBounded(response, MAX_RESPONSE_BYTES));
    if (status >= 300 && status < 400) throw new Error(`it redirects (${status})`);
    return { status, isOk, json: objectIn(text), excerpt: text.slice(0, MAX_SHOWN_LENGTH) };
  } catch (error) {
    throw new PlatformError(`no response from the API of the platform (${method} ${new URL(url).pathname}): ${reasonOf(error)}`, {
      isUnclear: true,
    });
  }
}

/** The message of an error, with that of its cause: `fetch failed` alone says nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? `${error.message}: ${error.cause.message}` : error.message;
}

function objectIn(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The result of a successful response. Throws PlatformError for another. */
function resultOf({ json, status, excerpt }: PlatformReply, what: string): unknown {
  if (json.success === true) return json.result;
  const errors = objectsIn(json.errors);
  const reasons = errors.map(({ code, message }) => `${message} (${code})`).join('; ');
  const hint = status === 429 ? '; the limit of the API is 1,200 requests in five minutes: wait' : '';
  throw new PlatformError(`${what}: ${reasons.slice(0, MAX_SHOWN_LENGTH) || `status ${status} ${excerpt}`}${hint}`, {
    codes: errors.flatMap(({ code }) => integerOf(code) ?? []),
    isUnclear: status >= 500 || status < 300,
  });
}
