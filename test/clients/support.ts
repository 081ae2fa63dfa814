/** Environment of the programs that `npm run clients` starts, and the requests that they share. */
import assert from 'node:assert/strict';
import { createClient, type GameDataOptions } from '../../clients/typescript/dist/index.js';

export const { BASE_URL = '', PROXY_URL = '', TOKEN = '', MASTER_TOKEN = '', SEED = '20260310' } = process.env;

type Count = 'received' | 'forwarded' | 'conditional' | 'notModified' | 'refused' | 'inProgress' | 'faults';

export const client = (options: Partial<GameDataOptions> = {}) => createClient({ baseUrl: PROXY_URL, token: TOKEN, ...options });

/** Changes the proxy's faults and returns its counts since the last change. */
export async function proxy(changes: object = {}): Promise<Record<Count, number>> {
  const response = await fetch(`${PROXY_URL}/__proxy`, { method: 'POST', body: JSON.stringify(changes) });
  return (await response.json()) as Record<Count, number>;
}

export async function asMaster(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${MASTER_TOKEN}`, 'Content-Type': 'application/json' };
  const response = await fetch(BASE_URL + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

export const report = (name: string) => asMaster('POST', '/v1/rotations/challenge/insert', { name });

/** Runs checks one after the other. */
export async function runChecks(checks: Record<string, () => Promise<void>>): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    await check();
    console.log(`  ok   TypeScript: ${name}`);
  }
}

/** Polls until the condition is true; throws after 30 s. */
export async function until(what: string, isDone: () => boolean, state: () => unknown = () => ''): Promise<void> {
  for (const deadline = Date.now() + 30_000; !isDone(); ) {
    assert.ok(Date.now() < deadline, `no ${what}: ${JSON.stringify(state())}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
