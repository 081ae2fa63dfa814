import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { buildTmod } from '../../src/areas/mods/tmod-layout.domain.ts';
import { type KillableServer, killServer, pause, signIn, startKillable, textOf, withReceiver } from './killable-server.ts';

const KILLS = Number(process.env.KILLS ?? 20);
/** Uploads of a round, sent in parallel. */
const UPLOADS = 4;
/** Latest kill after the first upload of a round, in milliseconds. */
const LATEST_KILL = Number(process.env.LATEST_KILL ?? 600);
/** Timeout of the last round. The lease of an interrupted publication is 30 s. */
const SETTLE_TIMEOUT_MS = 240_000;

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

/** Ids of the events by release. */
const events = new Map<string, Set<string>>();
const report = { kills: 0, sent: 0, confirmed: 0, published: 0, drafts: 0, torn: 0, unannounced: 0, announcedTwice: 0 };

/**
 * Kills the runtime (SIGKILL) at random instants while project keys upload and publish releases, and restarts it. Every release must be
 * whole or absent, and every published one must have exactly one event.
 */
await runMain(() =>
  withReceiver('publish', receive, async (state, vars) => {
    const projects: Project[] = [];
    for (let round = 0; round <= KILLS; round += 1) {
      const server = await startKillable(state, vars);
      const session = await signIn(server);
      if (round === 0) {
        await required(server, 'PUT', '/admin/config/publishing_access', session, { value: 'open' });
        const target = { url: 'https://hooks.example.com/releases', events: ['mod_release'] };
        await required(server, 'POST', '/v1/webhooks/signed', session, target);
        // All rounds act as one account.
        for (const key of ['publishing_projects_per_day', 'publishing_uploads_per_day', 'publishing_drafts', 'publishing_keys']) {
          await required(server, 'PUT', `/admin/config/${key}`, session, { value: 1000 });
        }
      }
      const project = await createProject(server, session, round);
      projects.push(project);
      const sending = Promise.all(Array.from({ length: UPLOADS }, (_, index) => upload(server, project, `${round}.${index}`)));
      if (round < KILLS) {
        await pause(Math.random() * LATEST_KILL);
        await killServer();
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
  }),
);

async function required(server: KillableServer, method: string, path: string, credential: string | null, body?: object) {
  const headers = {
    ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

async function createProject(server: KillableServer, session: string, round: number): Promise<Project> {
  const { handle, slug } = await required(server, 'POST', '/projects', session, { handle: 'killer', title: `Round ${round}` });
  const path = `/v1/publishing/${handle}/${slug}`;
  await required(server, 'PATCH', path, session, { visibility: 'public' });
  const { key } = await required(server, 'POST', `/projects/${handle}/${slug}/keys`, session, { name: 'kill' });
  return { path, page: `/v1/mods/${handle}/${slug}`, key: String(key) };
}

/** Uploads and publishes a release. False when the request was interrupted. */
async function upload(server: KillableServer, project: Project, tag: string): Promise<boolean> {
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
async function settle(server: KillableServer, session: string, projects: readonly Project[]): Promise<void> {
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

async function listReleases(server: KillableServer, projects: readonly Project[]) {
  const found: { project: Project; release: Release }[] = [];
  for (const project of projects) {
    const { items } = await required(server, 'GET', `${project.path}/releases`, project.key);
    for (const release of items as Release[]) found.push({ project, release });
  }
  return found;
}

/** A published release is in the catalog with its file and has one event; every other one is in neither. */
async function check(server: KillableServer, project: Project, release: Release): Promise<void> {
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
async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { data } = JSON.parse(await textOf(incoming)) as { data: { release?: { id: string } } };
  const id = data.release?.id;
  if (id !== undefined) events.set(id, (events.get(id) ?? new Set()).add(String(incoming.headers['webhook-id'])));
  outgoing.writeHead(204).end();
}
