import { createExecutionContext } from 'cloudflare:test';
import { env, waitUntil } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { setBackgroundKeepAlive } from '../../src/platform/kit/tasks.ts';
import { admittedCredential } from '../contract/conformance-checks.ts';
import { validRequest } from '../contract/inputs.ts';
import { appFetch } from '../support/app-fetch.ts';
import { titleOf } from '../support/endpoints.ts';
import { type CallOptions, call, type Fetch, freshInstant, type TestResponse } from '../support/requests.ts';
import { type createInjector, type Death, FAULTS, type Fault, NO_DEATH, type Use } from './injector.ts';
import { drainQueues } from './job-kills.ts';

type Injector = ReturnType<typeof createInjector>;

/** Rows by table. */
type Rows = Readonly<Record<string, number>>;

/**
 * Tables that other work fills at any time: counters of traffic and downloads, states of sources, runs of jobs, the queues of events, the sessions of the account,
 * and what the ingest object derives and logs in its own time, with the search index of players and boards; one-time codes, which an attempt spends; the outbox, which jobs empty; failed sign-ins, which are counted before a secret is compared; and the parts of full-text tables.
 */
const NOISY =
  /^(?:_cf|sqlite_|d1_|traffic|request_counts|upstream|job_runs|mod_downloads_daily|webhook_jobs|webhook_last_facts|sessions$|activity_revisions|ingest_log|search_(?:entries|sources|names|texts)$|(?:class_)?activity_(?:captures|days|sets)$|recovery_codes$|outbox$|login_failures|.*_fts|.*_(?:data|idx|docsize|config|content)$)/;
/** Kinds of access without a credential of which an idempotency key is part. */
const WITHOUT_KEY = ['open', 'page', 'public', 'tokenless', 'address', 'optional-token', 'feedback'];

/** A row has at most 100 columns. */
const MAX_COLUMNS = 100;

let counts: string[] | null = null;

async function countRows(): Promise<Rows> {
  if (!counts) {
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
    const columns = results.flatMap(({ name }) => (NOISY.test(name) ? [] : [`(SELECT count(*) FROM "${name}") AS "${name}"`]));
    counts = [];
    for (let at = 0; at < columns.length; at += MAX_COLUMNS) counts.push(`SELECT ${columns.slice(at, at + MAX_COLUMNS).join(', ')}`);
  }
  const rows = await env.DB.batch<Rows>(counts.map((count) => env.DB.prepare(count)));
  return Object.assign({}, ...rows.flatMap(({ results }) => results));
}

const changeOf = (before: Rows, after: Rows): Rows =>
  Object.fromEntries(Object.entries(after).flatMap(([name, n]) => (n === before[name] ? [] : [[name, n - (before[name] ?? 0)]])));

/** The tables that have more or fewer rows than after one execution. */
function beyond(once: Rows, change: Rows): string[] {
  return Object.entries(change).flatMap(([name, n]) => {
    const expected = once[name] ?? 0;
    return n < Math.min(0, expected) || n > Math.max(0, expected) ? [`${name} ${n}, once ${expected}`] : [];
  });
}

const realTimeout = globalThis.setTimeout;
/** Pauses before a repeat have no length in these tests. */
const MAX_PAUSE_MS = 200;

/** Removes short pauses. Returns a function that restores them. */
export function withoutPauses(): () => void {
  globalThis.setTimeout = ((work: () => void, delayMs = 0) =>
    realTimeout(work, delayMs <= MAX_PAUSE_MS ? 0 : delayMs)) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = realTimeout;
  };
}

/** A request of an endpoint that has not been sent before. */
export async function newRequest(endpoint: Endpoint, headers: Record<string, string> = {}) {
  const credential = await admittedCredential(endpoint);
  const now = freshInstant();
  const { path, options } = await validRequest(endpoint, [], now);
  // The network adds the length of a body; an idempotency key needs it.
  const { body } = options;
  const length: Record<string, string> =
    typeof body === 'string' ? { 'Content-Length': String(new TextEncoder().encode(body).length) } : {};
  const authorization = credential?.authorization ?? null;
  const all: CallOptions = { ...options, authorization, now, headers: { ...options.headers, ...length, ...headers } };
  return (fetch: Fetch) => call(path, all, fetch);
}

/** A new isolate of the service behind the injector. Its background work ends before the response is returned. */
export function isolateBehind(injector: Injector): Fetch {
  return appFetch(createApp(composeApp(injector.wrap(env))));
}

const errorOf = ({ text }: TestResponse) =>
  text.startsWith('{') ? (JSON.parse(text) as { error?: { hint?: string; details?: unknown } }).error : undefined;

/** Idempotency keys need the length of a body. */
const isText = (body: unknown) => body === null || body === undefined || typeof body === 'string';

/** Whether a response to an interrupted request is one that the service documents. */
function problemOf(response: TestResponse, clean: TestResponse, isWrite: boolean, hasKey: boolean): string | null {
  const { status, headers } = response;
  const hasRetryAfter = headers.get('Retry-After') !== null;
  if (status === clean.status || status < 300) return null;
  if (status === 503 && hasRetryAfter) return null;
  if (isWrite && !hasKey && status === 503 && (errorOf(response)?.hint?.includes('read before you repeat') ?? true)) return null;
  if (isWrite && hasKey && status === 409 && hasRetryAfter) return null;
  // The account is closed: the service completes it, and a repeat is impossible.
  if (status === 503 && (errorOf(response)?.details as { pending?: boolean } | undefined)?.pending) return null;
  // A limit of the account of the tests.
  if (status === 409 || status === 429) return null;
  return `${status} ${response.text.slice(0, 200)}`;
}

/** Sends a request of the endpoint with each fault at each use of a binding. Returns what must not be. `pick`: which of them to try. */
export async function tryFaults(
  injector: Injector,
  endpoint: Endpoint,
  pick: (use: Use, fault: Fault) => boolean = () => true,
): Promise<{ problems: string[]; tried: number }> {
  const { method, isStateless = false } = endpoint.spec;
  const isWrite = method !== 'get' && !isStateless;
  const takesKey = isWrite && !WITHOUT_KEY.includes(endpoint.spec.access.kind) && isText((await validRequest(endpoint)).options.body);
  const problems: string[] = [];
  let tried = 0;
  const clean = async () => {
    const send = await newRequest(endpoint);
    const fetch = isolateBehind(injector);
    const before = await countRows();
    const { result, uses } = await injector.run(() => send(fetch));
    return { result, uses, once: changeOf(before, await countRows()) };
  };
  await clean();
  const { result, uses, once } = await clean();
  for (const [at, use] of uses.entries()) {
    for (const fault of FAULTS.filter((one) => one.kind === use.kind && pick(use, one))) {
      for (const hasKey of takesKey ? [true, false] : [false]) {
        const title = `${titleOf(endpoint)}, use ${at} (${use.what}) ${fault.name}${hasKey ? ', with a key' : ''}`;
        const send = await newRequest(endpoint, hasKey ? { 'Idempotency-Key': crypto.randomUUID() } : {});
        const fetch = isolateBehind(injector);
        const before = isWrite ? await countRows() : {};
        const faulty = await injector.run(() => send(fetch), at, fault);
        if (!faulty.struck) continue;
        tried += 1;
        const problem = problemOf(faulty.result, result, isWrite, hasKey);
        if (problem !== null) problems.push(`${title}: ${problem}`);
        if (!isWrite) continue;
        const extra = beyond(once, changeOf(before, await countRows()));
        if (extra.length > 0) problems.push(`${title}: not once: ${extra.join(', ')}`);
        if (!hasKey || faulty.result.status < 300) continue;
        const repeated = await send(isolateBehind(injector));
        const twice = beyond(once, changeOf(before, await countRows()));
        if (twice.length > 0) problems.push(`${title}, repeated (${repeated.status}): not once: ${twice.join(', ')}`);
        if (repeated.status === 500) problems.push(`${title}, repeated: 500`);
      }
    }
  }
  return { problems, tried };
}

/**
 * Work after the response that may be lost with its isolate, as docs/architecture/faults.md says: counts of usage and traffic, and what the next
 * request or the next period makes again.
 */
const LOSSY =
  /^(?:TOKEN_GATES (?:recordUsage|settle)|RATE_LIMITS settle|MOD_DOWNLOADS record|WEBHOOK_SENDER wake)|\btraffic_|usage_|^insert into "traffic/;

/** Composes its mail after the response, whose time must not tell whether an account exists. The user asks again. */
const MAILED_LATER = ['/auth/forgot-password'];

/** Sends a request, whose background work ends at a use of a binding after the response. */
async function sendUntilDeath(injector: Injector, send: (fetch: Fetch) => Promise<TestResponse>, death: Death) {
  const background: Promise<unknown>[] = [];
  const keep = (work: Promise<unknown>) => void background.push(work.catch(() => {}));
  setBackgroundKeepAlive(keep);
  const app = createApp(composeApp(injector.wrap(env)));
  const fetch: Fetch = async (request) => {
    const context = createExecutionContext();
    const watched = Object.assign(Object.create(context), { waitUntil: keep, passThroughOnException: () => {} });
    const response = await app.fetch(request, env, watched);
    const complete = response.body ? new Response(await response.arrayBuffer(), response) : response;
    injector.mark();
    return complete;
  };
  try {
    return await injector.runUntilDeath(async () => {
      const response = await send(fetch);
      while (background.length > 0) await background.shift();
      return response;
    }, death);
  } finally {
    setBackgroundKeepAlive(waitUntil);
  }
}

/**
 * Sends a request of the endpoint whose work after the response is cut at each of its uses of a binding, as after 30 s, then runs the jobs.
 * Returns which tables then differ from those after a request that nothing cut.
 */
export async function tryCuts(injector: Injector, endpoint: Endpoint): Promise<{ problems: string[]; tried: number }> {
  const problems: string[] = [];
  let tried = 0;
  if (MAILED_LATER.includes(endpoint.spec.path)) return { problems, tried };
  const attempt = async (death: Death) => {
    const send = await newRequest(endpoint);
    const before = await countRows();
    const outcome = await sendUntilDeath(injector, send, death);
    await drainQueues(outcome.result?.now ?? freshInstant());
    return { ...outcome, change: changeOf(before, await countRows()) };
  };
  await attempt(NO_DEATH);
  const { uses, marked, change } = await attempt(NO_DEATH);
  const later = uses.slice(marked ?? uses.length);
  for (const [at, { what }] of later.entries()) {
    if (LOSSY.test(what)) continue;
    for (const isAfter of [false, true]) {
      const cut = await attempt({ at, isAfter, fromMark: true });
      if (!cut.struck) continue;
      tried += 1;
      if (JSON.stringify(cut.change) === JSON.stringify(change)) continue;
      problems.push(
        `${titleOf(endpoint)}, cut ${isAfter ? 'after' : 'before'} use ${at} (${what}) after the response: ${JSON.stringify(cut.change)}, not ${JSON.stringify(change)}`,
      );
    }
  }
  return { problems, tried };
}
