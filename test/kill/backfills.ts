import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { createDumpWorld } from '../../scripts/lib/dumps/board-dumps.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { type KillableServer, killServer, pause, startKillable, withKillFolder } from './killable-server.ts';

const KILLS = Number(process.env.KILLS ?? 10);
const HOUR = 3600;
const CAPTURES = 14;
const NEWEST = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
const TIMEOUT_MS = 180_000;
/** Two requests in each poll, within the rate limit of the token. */
const POLL_MS = 1500;
const BACKFILLS = ['renames', 'duplicates'] as const;

/** Players with a new name in each third hour, players with one name, and one with two spellings. */
const RENAMED = [4, 5, 6, 7];
const world = createDumpWorld({
  seed: 5,
  boards: 24,
  entries: 120,
  players: 120,
  nameAt(player, at) {
    if (RENAMED.includes(player)) return `Name ${'abcdefghijklmnop'[Math.floor((NEWEST - at) / HOUR / 3)]} of ${'pqrstuvw'[player - 4]}`;
    return player < 4 ? (player % 2 === 0 ? 'Gemini' : 'GEMINI') : undefined;
  },
});

/** What the service knows in the end, without the times of the work. */
interface Result {
  renames: unknown[];
  duplicates: unknown[];
  clusters: unknown[];
}

/**
 * `npm run test:long -- kill-backfills`: inserts a capture and starts the backfills of renames and of duplicate names, which also
 * recomputes the clusters, and repeats this, each time killing the runtime (SIGKILL) at a random instant and restarting it. Every run
 * must end with the same renames, duplicate names and clusters.
 */
await runMain(() =>
  withKillFolder('backfills', async (folder) => {
    let faults = 0;
    const source = join(folder, 'source');
    await (await openMigratedState(source)).dispose();
    await fill(source);
    const copy = (name: string) => {
      const state = join(folder, name);
      rmSync(state, { recursive: true, force: true });
      cpSync(source, state, { recursive: true });
      return state;
    };
    const startedAt = performance.now();
    const expected = await finish(await startKillable(copy('complete')));
    const milliseconds = performance.now() - startedAt;
    const sizes = Object.entries(expected).map(([kind, list]) => `${list.length} ${kind}`);
    console.log(`uninterrupted: ${(milliseconds / 1000).toFixed(1)} s, ${sizes.join(', ')}`);
    if (Object.values(expected).some((list) => list.length === 0)) throw new UserError('the data has nothing to find');
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const state = copy('killed');
      const server = await startKillable(state);
      const killAfter = Math.random() * milliseconds;
      const begun = begin(server).catch(() => null);
      await pause(killAfter);
      await killServer();
      await begun;
      const result = await finish(await startKillable(state));
      const wrong = Object.keys(expected).filter(
        (kind) => JSON.stringify(result[kind as keyof Result]) !== JSON.stringify(expected[kind as keyof Result]),
      );
      console.log(
        `kill ${kill}, after ${(killAfter / 1000).toFixed(2)} s: ${wrong.length === 0 ? 'the same result' : `other ${wrong.join(', ')}`}`,
      );
      faults += wrong.length;
    }
    console.log(`${KILLS} kills: ${faults} problems`);
    if (faults > 0) process.exitCode = 1;
  }),
);

/** Stores all captures except the newest. */
async function fill(state: string): Promise<void> {
  const server = await startKillable(state);
  for (let back = CAPTURES; back > 0; back -= 1) await insert(server, NEWEST - back * HOUR);
  await untilIdle(server, NEWEST - HOUR);
  await killServer();
}

/** Sends a capture and waits for it; a repeated one is accepted. The clock is at the capture, so the cooldown never applies. */
async function insert(server: KillableServer, anchor: number): Promise<void> {
  const form = new FormData();
  form.append('file', new File([world.dump(anchor)], 'dump.cfg', { type: 'text/plain' }));
  await send(server, `/v1/leaderboards/insert?sync=true&backfill=true&timestamp=${anchor}`, { method: 'POST', body: form, now: anchor });
}

/** Sends the newest capture and starts the backfills. */
async function begin(server: KillableServer): Promise<void> {
  for (const kind of BACKFILLS) {
    const { started_at: startedAt } = await send(server, `/v1/leaderboards/${kind}-backfill-status`);
    if (startedAt === null) await send(server, `/v1/leaderboards/${kind}-backfill?clear_first=true`, { method: 'POST' });
  }
  await insert(server, NEWEST);
}

/** Begins what is not begun, waits for the end, and stops the server. */
async function finish(server: KillableServer): Promise<Result> {
  await begin(server);
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(POLL_MS)) {
    if (Date.now() > deadline) throw new UserError('the backfills have no end');
    const statuses = [];
    for (const kind of BACKFILLS) statuses.push(await send(server, `/v1/leaderboards/${kind}-backfill-status`));
    if (statuses.every(({ finished_at: finishedAt }) => finishedAt !== null)) break;
  }
  const clusters = await untilIdle(server, NEWEST);
  const renames = await send(server, '/v1/leaderboards/renames?limit=200');
  const duplicates = await send(server, '/v1/leaderboards/duplicates?limit=200');
  await killServer();
  return {
    renames: listOf(renames.renames, ['id', 'created_at']),
    duplicates: listOf(duplicates.duplicates, ['updated_at']),
    clusters: listOf(clusters, []),
  };
}

/** Waits until the report is that of a capture; returns its clusters. */
async function untilIdle(server: KillableServer, anchor: number): Promise<unknown> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(POLL_MS)) {
    const { anchor: reported, clusters } = await send(server, '/v1/leaderboards/cheaters');
    if (reported === anchor) return clusters;
  }
  throw new UserError('the report was not computed in time');
}

/** Rows in a fixed order, without fields that differ between runs. */
function listOf(rows: unknown, ignored: readonly string[]): unknown[] {
  const texts = (rows as object[]).map((row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !ignored.includes(name)))),
  );
  return texts.sort();
}

async function send(
  { url, tokens }: KillableServer,
  path: string,
  { method = 'GET', body, now }: { method?: string; body?: FormData; now?: number } = {},
): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${tokens[0]}`, ...(now === undefined ? {} : { 'X-Test-Now': String(now) }) };
  const response = await fetch(url + path, { method, headers, ...(body ? { body } : {}) });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
