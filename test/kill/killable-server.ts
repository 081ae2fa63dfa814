import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { nameResolverUpstream } from '../support/upstreams/name-resolver.ts';

const SERVER = inRoot('test', 'kill', 'server-process.ts');
const EMAIL = 'root@kill.example';
const PASSWORD = randomBytes(16).toString('hex');

export interface KillableServer {
  url: string;
  /** New superuser tokens. */
  tokens: string[];
}

let running: ChildProcess | null = null;

/** Starts the bundle on stored state, in a process group of its own. One server runs at a time. */
export async function startKillable(state: string, vars: Readonly<Record<string, string>> = {}): Promise<KillableServer> {
  const child = spawn(process.execPath, [SERVER, state, JSON.stringify(vars)], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  running = child;
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('{')) return JSON.parse(line) as KillableServer;
  throw new UserError('the server exited before it responded');
}

/** Kills the process group of the server that runs, and its runtime (SIGKILL). */
export async function killServer(): Promise<void> {
  const child = running;
  running = null;
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.on('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

/** Builds the bundle and runs `work` with a folder of its own, then kills the server and deletes the folder. */
export async function withKillFolder(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `kill-${name}-`));
  try {
    await buildBundle();
    await work(folder);
  } finally {
    await killServer();
    rmSync(folder, { recursive: true });
  }
}

/** Runs `work` with migrated state and the variables of a service whose signed webhooks reach `receive`. */
export async function withReceiver(
  name: string,
  receive: RequestListener,
  work: (state: string, vars: Record<string, string>) => Promise<void>,
): Promise<void> {
  const resolver = await nameResolverUpstream.start(0);
  const receiver = createServer(receive);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    await withKillFolder(name, async (state) => {
      await (await openMigratedState(state)).dispose();
      await work(state, {
        RATE_LIMIT_MULTIPLIER: '1000',
        PASSWORD_COST: '1024',
        SESSION_SECRET: randomBytes(32).toString('hex'),
        SUPERUSER_EMAIL: EMAIL,
        SUPERUSER_PASSWORD: PASSWORD,
        SIGNED_WEBHOOK_POST_BASE: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
        ...resolver.vars,
      });
    });
  } finally {
    await resolver.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** Signs the superuser of such a service in. `now`: time of the session, if not the present. */
export async function signIn({ url }: KillableServer, now?: number): Promise<string> {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const headers = { 'Content-Type': 'application/json', ...(now === undefined ? {} : { 'X-Test-Now': String(now) }) };
  const response = await fetch(`${url}/auth/login`, { method: 'POST', headers, body });
  if (!response.ok) throw new UserError(`POST /auth/login: ${response.status} ${await response.text()}`);
  return String(((await response.json()) as { access_token: string }).access_token);
}

/** The body of a request that a receiver got. */
export async function textOf(incoming: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
