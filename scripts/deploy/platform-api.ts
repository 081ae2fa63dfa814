import { integerOf, type JsonObject, objectOf, objectsIn, textOf } from '../../src/platform/kit/values/json-values.ts';
import { readBounded } from '../../src/platform/upstream/response-body.ts';
import { runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';

/** Base of the platform's REST API, for requests that wrangler cannot send, or sends without asking. */
export const apiBase = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
export const REQUEST_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_SHOWN_LENGTH = 300;
/** Code of the refusal to deploy an older version after a secret was changed, and the text in front of the names. */
const SECRETS_CHANGED = 10220;
const CHANGED_NAMES = 'The following secrets have changed:';

export interface Account {
  id: string;
  token: string;
}

export interface Deployment {
  created_on: string;
  versions: { version_id: string; percentage: number }[];
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

/** An id of the platform, which becomes part of a path, of a command and of wrangler.toml. Throws UserError for another value. */
export function platformId(value: unknown, what: string): string {
  if (typeof value === 'string' && /^\w[\w-]{0,99}$/.test(value)) return value;
  throw new UserError(`the platform returned an invalid ${what}: ${String(JSON.stringify(value)).slice(0, MAX_SHOWN_LENGTH)}`);
}

/** The account of an environment with the token of wrangler. Throws UserError when it is not unique, or wrangler has an API key only. */
export async function readAccount(environment: EnvironmentName): Promise<Account> {
  const { token } = JSON.parse((await runWrangler(['auth', 'token', '--json'])).stdout) as { token?: string };
  if (!token) throw new UserError('an API key is not enough: set CLOUDFLARE_API_TOKEN, or npx wrangler login');
  const configured = readWranglerConfig(environment).account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (configured) return { id: configured, token };
  const { accounts } = JSON.parse((await runWrangler(['whoami', '--json'])).stdout) as { accounts: { id: string }[] };
  if (accounts.length !== 1 || !accounts[0]) throw new UserError('set CLOUDFLARE_ACCOUNT_ID: the token has access to several accounts');
  return { id: accounts[0].id, token };
}

/** The deployments of a Worker, newest first. */
export async function readDeployments(account: Account, worker: string): Promise<Deployment[]> {
  const { deployments } = await request(account, `/workers/scripts/${worker}/deployments`);
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

/** The variables of a version. Values of secrets cannot be read. */
export async function readVariables(account: Account, worker: string, version: string): Promise<Map<string, string>> {
  const { resources } = await request(account, `/workers/scripts/${worker}/versions/${version}`);
  const variables = new Map<string, string>();
  for (const { type, name, text, json } of objectsIn(objectOf(resources).bindings)) {
    if (type === 'plain_text') variables.set(String(name), textOf(text) ?? '');
    else if (type === 'json') variables.set(String(name), JSON.stringify(json));
  }
  return variables;
}

/**
 * Gives all requests to a version. The platform refuses a version that is older than a change of a secret, because the old value comes back
 * with it: then the names of these secrets are returned, and nothing changes. `brings`: deploy it all the same.
 */
export async function deployVersion(
  account: Account,
  worker: string,
  { version, message, brings = false }: { version: string; message: string; brings?: boolean },
): Promise<{ changedSecrets: string[] }> {
  const body = {
    strategy: 'percentage',
    versions: [{ version_id: version, percentage: 100 }],
    annotations: { 'workers/message': message },
  };
  const reply = await send(account, `/workers/scripts/${worker}/deployments${brings ? '?force=true' : ''}`, body);
  if (reply.json.success === true) return { changedSecrets: [] };
  const refusal = objectsIn(reply.json.errors).find(({ code }) => integerOf(code) === SECRETS_CHANGED);
  if (!refusal) throw failure(reply, `version ${version} was not deployed`);
  const text = textOf(refusal.message) ?? '';
  const names = text.split(CHANGED_NAMES)[1] ?? text;
  return { changedSecrets: names.split(',').map((name) => name.trim()) };
}

async function request(account: Account, path: string): Promise<JsonObject> {
  const reply = await send(account, path);
  if (reply.json.success !== true) throw failure(reply, `${path} cannot be read`);
  return objectOf(reply.json.result);
}

function send({ id, token }: Account, path: string, body?: unknown): Promise<PlatformReply> {
  return requestPlatform(`${apiBase()}/accounts/${id}${path}`, token, body === undefined ? {} : { method: 'POST', body });
}

/** Sends a request to the API of the platform. Redirects are refused: the token is for this address only. */
export async function requestPlatform(
  url: string,
  token: string,
  { method = 'GET', body }: { method?: 'GET' | 'POST' | 'PUT'; body?: unknown },
): Promise<PlatformReply> {
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
    throw new UserError(`no response from the API of the platform: ${error instanceof Error ? error.message : error}`);
  }
}

function objectIn(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function failure({ json, status, excerpt }: PlatformReply, what: string): UserError {
  const errors = objectsIn(json.errors).map(({ code, message }) => `${message} (${code})`);
  return new UserError(`${what}: ${errors.join('; ').slice(0, MAX_SHOWN_LENGTH) || `status ${status} ${excerpt}`}`);
}
