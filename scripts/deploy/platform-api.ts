import { runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';

/** Base of the platform's REST API, for requests that wrangler cannot send, or sends without asking. */
export const apiBase = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
export const REQUEST_TIMEOUT_MS = 30_000;
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

interface ApiReply<Result> {
  success?: boolean;
  errors?: { code: number; message: string }[];
  result?: Result;
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
  const { deployments } = await request<{ deployments: Deployment[] }>(account, `/workers/scripts/${worker}/deployments`);
  return deployments.toSorted((one, other) => Date.parse(other.created_on) - Date.parse(one.created_on));
}

/** The variables of a version. Values of secrets cannot be read. */
export async function readVariables(account: Account, worker: string, version: string): Promise<Map<string, string>> {
  interface Version {
    resources?: { bindings?: { type: string; name: string; text?: string; json?: unknown }[] };
  }
  const { resources } = await request<Version>(account, `/workers/scripts/${worker}/versions/${version}`);
  const variables = new Map<string, string>();
  for (const { type, name, text, json } of resources?.bindings ?? []) {
    if (type === 'plain_text') variables.set(name, text ?? '');
    else if (type === 'json') variables.set(name, JSON.stringify(json));
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
  if (reply.success) return { changedSecrets: [] };
  const refusal = reply.errors?.find(({ code }) => code === SECRETS_CHANGED);
  if (!refusal) throw failure(reply, `version ${version} was not deployed`);
  const names = refusal.message.split(CHANGED_NAMES)[1] ?? refusal.message;
  return { changedSecrets: names.split(',').map((name) => name.trim()) };
}

async function request<Result>(account: Account, path: string): Promise<Result> {
  const reply = await send<Result>(account, path);
  if (!reply.success || reply.result === undefined) throw failure(reply, `${path} cannot be read`);
  return reply.result;
}

async function send<Result>({ id, token }: Account, path: string, body?: unknown): Promise<ApiReply<Result>> {
  const response = await fetch(`${apiBase()}/accounts/${id}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UserError(`the API of the platform did not respond: ${error instanceof Error ? error.message : error}`);
  });
  const text = await response.text();
  try {
    return JSON.parse(text) as ApiReply<Result>;
  } catch {
    return { success: false, errors: [{ code: response.status, message: text.slice(0, 300) }] };
  }
}

function failure({ errors }: ApiReply<unknown>, what: string): UserError {
  return new UserError(`${what}: ${errors?.map(({ code, message }) => `${message} (${code})`).join('; ') || 'no reason given'}`);
}
