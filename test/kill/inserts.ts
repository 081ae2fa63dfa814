import { openLocalState, openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { createDumpWorld } from '../../scripts/lib/dumps/board-dumps.ts';
import { SyntheticMarket } from '../../scripts/lib/dumps/market-dumps.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { RESERVATION_LEASE_MS } from '../../src/platform/access/limits/reservations.ts';
import { hashToken } from '../../src/platform/access/tokens/token-format.ts';
import { type KillableServer, killServer, pause, startKillable, withKillFolder } from './killable-server.ts';

const KILLS = Number(process.env.KILLS ?? 100);
const WINDOW_SECONDS = 300;
/**
 * Clock of every insert, 10 s into a window of the cooldown. Constant, so a token is accepted again only when its reservation has
 * expired, never because the window ended.
 */
const NOW = Math.floor(Date.now() / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS + 10;
/** Lease of a reservation. A longer `Retry-After` is the cooldown of an accepted insert. */
const LEASE_SECONDS = RESERVATION_LEASE_MS / 1000;
/** Tolerance for the duration of the check on a busy machine. */
const SLACK_SECONDS = 2;
/** Latest kill, as a multiple of the duration of an uninterrupted round. */
const BEYOND = 1.2;
const MAX_ATTEMPTS = 8;

interface Sent {
  path: string;
  /** Body that is interrupted, and a smaller one to check whether a token is accepted. */
  full: () => string | FormData;
  small: () => string | FormData;
}

const named = () => JSON.stringify({ name: 'Racing Challenge' });
const market = new SyntheticMarket({ seed: 3, newEachHour: 4000, meanHours: 20 }).nextDump(NOW);
const boards = createDumpWorld({ seed: 3, boards: 20, entries: 200, players: 400 }).dump(NOW);
const board = createDumpWorld({ seed: 3, boards: 1, entries: 1, players: 1 }).dump(NOW);
const INSERTS: Readonly<Record<string, Sent>> = {
  challenge: { path: '/v1/rotations/challenge/insert', full: named, small: named },
  'chaos-chest': { path: '/v1/rotations/chaos-chest/insert', full: named, small: named },
  market: { path: '/v1/market/insert', full: () => formOf(market), small: () => formOf(market.split('\n', 1)[0] ?? '') },
  leaderboards: { path: '/v1/leaderboards/insert', full: () => formOf(boards), small: () => formOf(board) },
};
const ENDPOINTS = Object.keys(INSERTS);

interface Reply {
  status: number;
  /** Value of `Retry-After` in seconds; 0 without the header. */
  retryAfter: number;
}

/** An insert, identified by token and endpoint. */
interface Insert {
  endpoint: string;
  token: string;
  /** Time of the kill in unix milliseconds. */
  killedAt: number;
}

const report = { accepted: 0, cutOff: 0, letInAgain: 0, unheard: 0, longestWaitSeconds: 0, problems: 0 };
/** Interrupted inserts whose token is not accepted again yet. */
let waiting: Insert[] = [];
/** Inserts that were accepted before the interruption: the response was lost, the cooldown is active. */
const acceptedWithoutResponse: Insert[] = [];

/**
 * Kills the runtime (SIGKILL) at random instants during inserts of every kind, and restarts it. The cooldown of an accepted insert must
 * survive; an interrupted insert must block its token no longer than the lease of a reservation.
 */
await runMain(() =>
  withKillFolder('inserts', async (state) => {
    await (await openMigratedState(state)).dispose();
    let within = Number.POSITIVE_INFINITY;
    let accepted: Insert[] = [];
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const server = await startKillable(state);
      await check(server, accepted);
      // The first round is killed after all inserts, to measure their duration.
      const killAfter = kill === 0 ? null : Math.random() * within * BEYOND;
      const round = await insertAndKill(server, killAfter);
      within = Math.min(within, round.milliseconds);
      accepted = round.accepted;
      if (kill > 0)
        console.log(
          `kill ${kill} after ${((killAfter ?? 0) / 1000).toFixed(2)} s: ${accepted.length} of ${server.tokens.length * ENDPOINTS.length} accepted`,
        );
    }
    const server = await startKillable(state);
    await check(server, accepted);
    while (waiting.length > 0) {
      await pause(1000);
      await check(server, []);
    }
    await killServer();
    await checkUnheard(state);
    console.log(JSON.stringify(report));
    if (report.problems > 0) process.exitCode = 1;
  }),
);

function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new File([text], 'dump.cfg', { type: 'text/plain' }));
  return form;
}

/** Sends an insert. Returns null if the runtime was killed before the response. */
async function insert(
  { url }: KillableServer,
  { endpoint, token }: Pick<Insert, 'endpoint' | 'token'>,
  size: 'full' | 'small',
): Promise<Reply | null> {
  const sent = INSERTS[endpoint];
  if (!sent) throw new UserError(`insert not found: ${endpoint}`);
  const body = sent[size]();
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : undefined;
  const headers = { Authorization: `Bearer ${token}`, 'X-Test-Now': String(NOW), ...type };
  try {
    const response = await fetch(url + sent.path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return { status: response.status, retryAfter: Number(response.headers.get('Retry-After')) };
  } catch {
    return null;
  }
}

/** Sends one insert per kind and token in parallel. `milliseconds`: time to the last response. */
async function insertAndKill(server: KillableServer, killAfter: number | null): Promise<{ accepted: Insert[]; milliseconds: number }> {
  const made = server.tokens.flatMap((token) => ENDPOINTS.map((endpoint): Insert => ({ endpoint, token, killedAt: 0 })));
  const startedAt = performance.now();
  let milliseconds = 0;
  const responding = made.map(async (one) => {
    const response = await insert(server, one, 'full');
    milliseconds = response === null ? Number.POSITIVE_INFINITY : Math.max(milliseconds, performance.now() - startedAt);
    return response;
  });
  if (killAfter === null) await Promise.all(responding);
  else await pause(killAfter);
  await killServer();
  const killedAt = Date.now();
  const responses = await Promise.all(responding);
  const accepted: Insert[] = [];
  for (const [index, response] of responses.entries()) {
    const one = { ...(made[index] as Insert), killedAt };
    if (response === null) waiting.push(one);
    else if (isAccepted(response)) accepted.push(one);
    else reportProblem(one, `status ${response.status}`);
  }
  report.accepted += accepted.length;
  report.cutOff += made.length - accepted.length;
  return { accepted, milliseconds };
}

function isAccepted(response: { status: number } | null): boolean {
  return response?.status === 200 || response?.status === 202;
}

/** Sends a small insert to a running server. Retries if the connection breaks because the response came before the end of the body. */
async function tryAgain(server: KillableServer, made: Insert): Promise<Reply | null> {
  for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
    const reply = await insert(server, made, 'small');
    if (reply !== null) return reply;
  }
  return null;
}

/** Repeats the accepted inserts of the last round, and all interrupted ones. */
async function check(server: KillableServer, accepted: readonly Insert[]): Promise<void> {
  for (const made of accepted) {
    const again = await tryAgain(server, made);
    if (again?.status !== 429 || again.retryAfter <= LEASE_SECONDS) reportProblem(made, `was accepted twice: ${JSON.stringify(again)}`);
  }
  const still: Insert[] = [];
  for (const made of waiting) {
    const age = (Date.now() - made.killedAt) / 1000;
    const again = await tryAgain(server, made);
    if (again?.status === 429 && again.retryAfter > LEASE_SECONDS) acceptedWithoutResponse.push(made);
    else if (again?.status === 429) {
      still.push(made);
      report.longestWaitSeconds = Math.max(report.longestWaitSeconds, age);
      if (age + again.retryAfter > LEASE_SECONDS + SLACK_SECONDS) reportProblem(made, `has Retry-After ${again.retryAfter} after ${age} s`);
    } else if (isAccepted(again)) report.letInAgain += 1;
    else reportProblem(made, `status ${again?.status}`);
  }
  waiting = still;
}

/** Checks that inserts with a cooldown but without a response are accepted in the insert log. */
async function checkUnheard(state: string): Promise<void> {
  report.unheard = acceptedWithoutResponse.length;
  const archive = await openLocalState(state);
  try {
    for (const made of acceptedWithoutResponse) {
      const logged = await archive.binding
        .prepare(
          'SELECT 1 AS found FROM ingest_log l JOIN api_tokens t ON t.id = l.token_id WHERE t.hashed_token = ? AND l.endpoint = ? AND l.success = 1',
        )
        .bind(hashToken(made.token), made.endpoint)
        .first();
      if (logged === null) reportProblem(made, 'has a cooldown, but was not accepted');
    }
  } finally {
    await archive.dispose();
  }
}

function reportProblem({ endpoint }: Insert, what: string): void {
  report.problems += 1;
  console.error(`  ${endpoint}: ${what}`);
}
