import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { buildTmod } from '../../src/areas/mods/tmod-layout.domain.ts';
import { nameResolverUpstream } from '../support/upstreams/name-resolver.ts';

const KILLS = Number(process.env.KILLS ?? 20);
/** Uploads of a round, sent in parallel. */
const UPLOADS = 4;
/** Latest kill after the first upload of a round, in milliseconds. */
const LATEST_KILL = Number(process.env.LATEST_KILL ?? 600);
/** Timeout of the last round. The lease of an interrupted publication is 30 s. */
const SETTLE_TIMEOUT_MS = 240_000;
const SERVER = inRoot('scripts', 'lib', 'long', 'webhook-server-process.ts');
const EMAIL = 'root@publish.example';
const PASSWORD = randomBytes(16).toString('hex');

interface RunningServer {
  url: string;
}

/** A project with its key. */
interface Project {
  path: string;
  page: string;
  key: string;
}

interface Release {
  id: string;
  tag: string;
  state: string;
  sha256: string;
  download_url: string;
}

let running: ChildProcess | null = null;
/** Ids of the events by release. */
const events = new Map<string, Set<string>>();
const report = { kills: 0, sent: 0, confirmed: 0, published: 0, drafts: 0, torn: 0, unannounced: 0, announcedTwice: 0 };

/**
 * Kills the runtime (SIGKILL) at random instants while project keys upload and publish releases, and restarts it. Every release must be
 * whole or absent, and every published one must have exactly one event.
 */
await runMain(async () => {
  const state = mkdtempSync(join(tmpdir(), 'kill-publish-'));
  const resolver = await nameResolverUpstream.start(0);
  const receiver = await startReceiver();
  const vars = {
    ENVIRONMENT: 'development',
    LOG_SAMPLE: '0',
    RATE_LIMIT_MULTIPLIER: '1000',
    PASSWORD_COST: '1024',
    SESSION_SECRET: randomBytes(32).toString('hex'),
    SUPERUSER_EMAIL: EMAIL,
    SUPERUSER_PASSWORD: PASSWORD,
    SIGNED_WEBHOOK_POST_BASE: receiver.url,
    ...resolver.vars,
  };
  try {
    await buildBundle();
    await (await openMigratedState(state)).dispose();
    const projects: Project[] = [];
    for (let round = 0; round <= KILLS; round += 1) {
      const server = await start(state, vars);
      const session = await signIn(server);
      if (round === 0) {
        const target = { url: 'https://hooks.example.com/releases', events: ['mod_release'] };
        await required(server, 'POST', '/v1/webhooks/signed', session, target);
      }
      const project = await createProject(server, session, round);
      projects.push(project);
      const sending = Promise.all(Array.from({ length: UPLOADS }, (_, index) => upload(server, project, `${round}.${index}`)));
      if (round < KILLS) {
        await pause(Math.random() * LATEST_KILL);
        await killAll();
        report.kills += 1;
      }
      const confirmed = (await sending).filter(Boolean).length;
      report.sent += UPLOADS;
      report.confirmed += confirmed;
      console.log(`round ${round}: ${confirmed} of ${UPLOADS} uploads confirmed`);
      if (round === KILLS) await settle(server, session, projects);
    }
    console.log(JSON.stringify(report));
    if (report.torn + report.unannounced + report.announcedTwice > 0) process.exitCode = 1;
  } finally {
    await killAll();
    await resolver.stop();
    receiver.server.closeAllConnections();
    receiver.server.close();
    rmSync(state, { recursive: true });
  }
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function start(state: string, vars: object): Promise<RunningServer> {
  const child = spawn(process.execPath, [SERVER, state, JSON.stringify(vars)], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  running = child;
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('{')) return JSON.parse(line) as RunningServer;
  throw new UserError('the server exited before it responded');
}

/** Kills the process group of the server and its runtime. */
async function killAll(): Promise<void> {
  const child = running;
  running = null;
  if (child?.pid === undefined || child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.on('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

async function required(server: RunningServer, method: string, path: string, credential: string | null, body?: object) {
  const headers = {
    ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

async function signIn(server: RunningServer): Promise<string> {
  return String((await required(server, 'POST', '/auth/login', null, { email: EMAIL, password: PASSWORD })).access_token);
}

async function createProject(server: RunningServer, session: string, round: number): Promise<Project> {
  const { handle, slug } = await required(server, 'POST', '/projects', session, { handle: 'killer', title: `Round ${round}` });
  const path = `/v1/publishing/${handle}/${slug}`;
  await required(server, 'PATCH', path, session, { visibility: 'public' });
  const { key } = await required(server, 'POST', `/projects/${handle}/${slug}/keys`, session, { name: 'kill' });
  return { path, page: `/v1/mods/${handle}/${slug}`, key: String(key) };
}

/** Uploads and publishes a release. False when the request was interrupted. */
async function upload(server: RunningServer, project: Project, tag: string): Promise<boolean> {
  const content = randomBytes(40_000);
  const bytes = buildTmod({ version: 1, properties: new Map(), files: [{ path: 'ui/a.swf', content }] });
  const form = new FormData();
  form.set('tag', tag);
  form.set('publish', 'true');
  form.set('file', new File([bytes], 'a.tmod'));
  try {
    const headers = { Authorization: `Bearer ${project.key}` };
    const response = await fetch(`${server.url}${project.path}/releases`, { method: 'POST', headers, body: form });
    await response.arrayBuffer();
    return response.status === 201;
  } catch {
    return false;
  }
}

/** Runs the jobs until nothing is scheduled and every published release has its event or the timeout expires, then counts faults. */
async function settle(server: RunningServer, session: string, projects: readonly Project[]): Promise<void> {
  const until = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    for (const job of ['mods-publish', 'mods-announce', 'webhooks-deliver'])
      await required(server, 'POST', `/admin/jobs/${job}/run`, session);
    const found = await listReleases(server, projects);
    const isDone = found.every(({ release: { id, state } }) => state === 'draft' || (state === 'published' && events.has(id)));
    if (isDone || Date.now() > until) break;
    await pause(2000);
  }
  // A second event of a release would arrive within some runs of the jobs.
  for (let runs = 0; runs < 3; runs += 1) {
    await pause(1000);
    for (const job of ['mods-publish', 'mods-announce', 'webhooks-deliver'])
      await required(server, 'POST', `/admin/jobs/${job}/run`, session);
  }
  for (const { project, release } of await listReleases(server, projects)) await check(server, project, release);
}

async function listReleases(server: RunningServer, projects: readonly Project[]) {
  const found: { project: Project; release: Release }[] = [];
  for (const project of projects) {
    const { items } = await required(server, 'GET', `${project.path}/releases`, project.key);
    for (const release of items as Release[]) found.push({ project, release });
  }
  return found;
}

/** A published release is in the catalog with its file and has one event; every other one is in neither. */
async function check(server: RunningServer, project: Project, release: Release): Promise<void> {
  const { id, state, sha256, tag } = release;
  const { releases } = (await required(server, 'GET', project.page, null)) as { releases: Release[] };
  const isListed = releases.some((one) => one.id === id);
  const file = await fetch(`${server.url}${new URL(release.download_url).pathname}`);
  const hash = createHash('sha256').update(Buffer.from(await file.arrayBuffer()));
  const isServed = file.status === 200 && hash.digest('hex') === sha256;
  const isPublished = state === 'published';
  report[isPublished ? 'published' : 'drafts'] += 1;
  if (isListed !== isPublished || isServed !== isPublished || state === 'scheduled') {
    report.torn += 1;
    console.error(`  ${tag}: ${state}, listed ${isListed}, served ${isServed}`);
  }
  const count = events.get(id)?.size ?? 0;
  if (isPublished && count === 0) report.unannounced += 1;
  if (count > Number(isPublished)) report.announcedTwice += 1;
}

/** Receives the events as a signed webhook. A repeated delivery has the id of the first. */
async function startReceiver(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { release?: { id: string } } };
    const id = data.release?.id;
    if (id !== undefined) events.set(id, (events.get(id) ?? new Set()).add(String(incoming.headers['webhook-id'])));
    outgoing.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
