import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UserError } from '../main.ts';
import { inRoot, LOCAL_STATE } from '../paths.ts';
import { baseUrlOf, requireFreePort } from '../ports.ts';
import { describeServer } from './banner.ts';
import { hasDemoGame, readDemoMark } from './demo-mark.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { spawnGuarded } from './guarded.ts';
import { prepareFiles } from './local-files.ts';
import { type MockServices, startMockServices } from './mock-services.ts';
import { lockState } from './server-lock.ts';
import type { GameFolder, StartOptions } from './start-options.ts';

/** Prepares the checkout and runs the server and the cron ticker until the signal aborts. */
export async function serve(options: StartOptions, signal: AbortSignal): Promise<void> {
  let server: DevServer | undefined;
  const end = async () => {
    // Ignore errors of a closed terminal, which must not keep the server running.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    await server?.stop();
    console.log('Stopped.');
    process.exit(0);
  };
  if (signal.aborted) return await end();
  signal.addEventListener('abort', end, { once: true });

  const { port, isDemo } = options;
  const unlock = lockState({ pid: process.pid, port });
  process.once('exit', unlock);
  await requireFreePort(port);
  await checkGames(options);
  await prepareFiles();
  const mocks = await startMockServices(isDemo);
  const baseUrl = baseUrlOf(port);
  const stateKey = randomUUID();
  const start = () => startedWith(options, mocks, stateKey);
  server = start();
  try {
    // Import while the server starts, to save time.
    const { isOfAnotherVersion, moveStateAside, notePrepared, openServedState, readTokenFormat } = await import('./served-state.ts');
    const { prepareDatabase } = await import('./served-setup.ts');
    const served = { url: baseUrl, key: stateKey };
    const { binding } = openServedState(served);
    await server.listening;
    if (await isOfAnotherVersion(binding)) {
      await server.stop();
      moveStateAside(LOCAL_STATE);
      server = start();
      await server.listening;
    }
    const wasMarked = hasDemoData(isDemo);
    const devFile = await prepareDatabase(binding, baseUrl, { mocks, isDemo, tokenFormat: await readTokenFormat(served) });
    if (hasDemoData(isDemo) !== wasMarked) {
      await server.stop();
      server = start();
      await server.listening;
    }
    await notePrepared(served);
    await server.ready();
    const games = options.games.map(({ tag }) => tag);
    console.log(describeServer(devFile, { isDemo: hasDemoData(isDemo), games, mocks, platform: process.platform }));
    const stopTicker = startCronTicker(baseUrl, (message) => {
      if (!signal.aborted) console.error(message);
    });
    const fillsDemo = isDemo && readDemoMark()?.state !== 'own';
    if (fillsDemo || options.games.length > 0) startFill({ baseUrl, stateKey, fillsDemo, games: options.games }, signal);
    await server.stopped;
    stopTicker();
    if (!signal.aborted) throw new UserError('wrangler dev exited unexpectedly.');
  } finally {
    await server.stop();
  }
}

function startedWith({ port, showsRequests, isDemo }: StartOptions, mocks: MockServices, stateKey: string): DevServer {
  const vars = {
    ...mocks.vars,
    LOG_SAMPLE: showsRequests ? '1' : '0',
    DEMO_DATA: hasDemoData(isDemo) ? 'on' : '',
  };
  return startDevServer({
    port,
    stateKey,
    vars,
    showsInfo: showsRequests,
    hasMocks: mocks.names.length > 0,
    show: (line) => console.log(line),
  });
}

/** Whether the database has demo data: of this start or of an earlier one. */
function hasDemoData(isDemo: boolean): boolean {
  const mark = readDemoMark();
  return mark === null ? isDemo : mark.state !== 'own';
}

/** Checks the folders of the game before the server starts. State with the demo game is moved to another folder. */
async function checkGames({ games }: StartOptions): Promise<void> {
  if (games.length === 0) return;
  const { checkFolderImport } = await import('../archive/import-folder.ts');
  for (const { dir, tag } of games) {
    if (!existsSync(dir)) throw new UserError(`--game ${dir}: folder not found.`);
    checkFolderImport({ tag, roots: null });
  }
  if (!hasDemoGame()) return;
  const { moveStateAside } = await import('./served-state.ts');
  moveStateAside(LOCAL_STATE, 'has the demo game');
}

interface FillOptions {
  baseUrl: string;
  stateKey: string;
  /** Whether to add the demo data too. */
  fillsDemo: boolean;
  games: readonly GameFolder[];
}

/** Fills in a separate process, so that the server responds meanwhile. */
function startFill({ baseUrl, stateKey, fillsDemo, games }: FillOptions, signal: AbortSignal): void {
  const gameArguments = games.flatMap(({ dir }) => ['--game', dir]);
  const args = ['--serving', baseUrl, '--key', stateKey, ...(fillsDemo ? [] : ['--no-demo']), ...gameArguments];
  const child = spawnGuarded(inRoot('scripts', 'demo', 'fill.ts'), args);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: string) => {
      if (!signal.aborted) process.stdout.write(text);
    });
  }
}

const MINUTE = 60_000;
const CRON = '* * * * *';

/**
 * Triggers the Worker's scheduled handler now and at the start of every minute, because `wrangler dev` does not. Returns a function
 * that stops the ticker.
 */
function startCronTicker(baseUrl: string, onFailure: (message: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const tick = async () => {
    const now = Date.now();
    timer = setTimeout(tick, MINUTE - (now % MINUTE));
    const query = new URLSearchParams({ cron: CRON, time: String(now) });
    try {
      const response = await fetch(`${baseUrl}/cdn-cgi/handler/scheduled?${query}`, { signal: AbortSignal.timeout(5 * MINUTE) });
      await response.arrayBuffer();
      if (!response.ok) onFailure(`cron: the scheduled handler failed (${response.status})`);
    } catch (error) {
      // Errors after the stop are expected.
      if (timer !== undefined) onFailure(`cron: ${error instanceof Error ? error.message : error}`);
    }
  };
  void tick();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
