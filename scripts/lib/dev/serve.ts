import { randomUUID } from 'node:crypto';
import { UserError } from '../main.ts';
import { inRoot, LOCAL_STATE } from '../paths.ts';
import { baseUrlOf, requireFreePort } from '../ports.ts';
import { describeServer } from './banner.ts';
import { startCronTicker } from './cron-ticker.ts';
import { readDemoMark } from './demo-mark.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { spawnGuarded } from './guarded.ts';
import { prepareFiles } from './local-files.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';
import type { StartOptions } from './start-options.ts';

/** Prepares the checkout, serves it locally and ticks its cron, until the signal aborts: then the process ends. */
export async function serve(options: StartOptions, signal: AbortSignal): Promise<void> {
  let server: DevServer | undefined;
  const end = async () => {
    // Output may have nowhere to go any more; that must not keep the server alive.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    await server?.stop();
    console.log('Stopped.');
    process.exit(0);
  };
  if (signal.aborted) return await end();
  signal.addEventListener('abort', end, { once: true });

  const { port, isDemo } = options;
  await requireFreePort(port);
  prepareFiles();
  const standIns = await startStandIns(isDemo);
  const baseUrl = baseUrlOf(port);
  const stateKey = randomUUID();
  const start = () => startedWith(options, standIns, stateKey);
  server = start();
  try {
    // Loaded while the server starts.
    const { isOfAnotherVersion, moveStateAside, notePrepared, openServedState, readTokenPrefix } = await import('./served-state.ts');
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
    const wasMarked = holdsDemoData(isDemo);
    const devFile = await prepareDatabase(binding, baseUrl, { standIns, isDemo, tokenPrefix: await readTokenPrefix(served) });
    if (holdsDemoData(isDemo) !== wasMarked) {
      await server.stop();
      server = start();
      await server.listening;
    }
    await notePrepared(served);
    await server.ready();
    console.log(describeServer(devFile, { isDemo: holdsDemoData(isDemo), standIns, platform: process.platform }));
    const stopTicker = startCronTicker(baseUrl, (message) => {
      if (!signal.aborted) console.error(message);
    });
    if (isDemo && readDemoMark()?.state !== 'own') keepDemo(baseUrl, stateKey, signal);
    await server.stopped;
    stopTicker();
    if (!signal.aborted) throw new UserError('wrangler dev exited unexpectedly.');
  } finally {
    await server.stop();
  }
}

function startedWith({ port, showsRequests, isDemo }: StartOptions, standIns: StandIns, stateKey: string): DevServer {
  const vars = {
    ...standIns.vars,
    LOG_REQUESTS: showsRequests ? 'on' : 'off',
    DEMO_DATA: holdsDemoData(isDemo) ? 'on' : '',
  };
  return startDevServer({ port, stateKey, vars, showsInfo: showsRequests, show: (line) => console.log(line) });
}

/** Demo data of an earlier start stay demo data when this start adds none. */
function holdsDemoData(isDemo: boolean): boolean {
  const mark = readDemoMark();
  return mark === null ? isDemo : mark.state !== 'own';
}

/** Runs in its own process, so that the server is usable meanwhile. */
function keepDemo(baseUrl: string, stateKey: string, signal: AbortSignal): void {
  const child = spawnGuarded(inRoot('scripts', 'demo', 'fill.ts'), ['--serving', baseUrl, '--key', stateKey]);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: string) => {
      if (!signal.aborted) process.stdout.write(text);
    });
  }
}
