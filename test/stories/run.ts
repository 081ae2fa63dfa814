import { type DemoMark, readDemoMark } from '../../scripts/lib/dev/demo-mark.ts';
import { type DevFile, readDevFile } from '../../scripts/lib/dev/dev-file.ts';
import { spawnGuarded } from '../../scripts/lib/dev/guarded.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { DEV_FILE, inRoot } from '../../scripts/lib/paths.ts';
import { baseUrlOf, portFrom } from '../../scripts/lib/ports.ts';
import { STORIES } from './index.ts';
import { User } from './user.ts';

const DEFAULT_PORT = '8797';
const START_TIMEOUT_MS = 120_000;
const DEMO_TIMEOUT_MS = 300_000;
const POLL_MS = 250;

/**
 * `npm run stories`: runs user journeys as requests to the running `npm start`, or to one that it starts (PORT). An argument selects
 * the stories whose titles contain it.
 */
await runMain(async () => {
  const word = process.argv[2] ?? '';
  const running = readDevFile(DEV_FILE);
  const stop = running && (await isHealthy(running.base_url)) ? () => {} : await startServer();
  try {
    await until('the demo data', DEMO_TIMEOUT_MS, () => Promise.resolve(isFilled(readDemoMark())));
    const user = new User(readDevFile(DEV_FILE) as DevFile);
    let failed = 0;
    for (const { title, run } of STORIES.filter((story) => story.title.includes(word))) {
      const startedAt = performance.now();
      const problem = await run(user).then(
        () => null,
        (error: unknown) => error,
      );
      const took = `${Math.round(performance.now() - startedAt)} ms`;
      if (problem === null) console.log(`  ok    ${title} (${took})`);
      else console.error(`  FAIL  ${title}\n${problem instanceof Error ? problem.message : problem}`);
      failed += problem === null ? 0 : 1;
    }
    console.log(`stories: ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    stop();
  }
});

/** Starts the server without npm. Returns a function that stops it. */
async function startServer(): Promise<() => void> {
  const port = portFrom(process.env.PORT ?? DEFAULT_PORT);
  const child = spawnGuarded(inRoot('scripts', 'start.ts'), ['--port', String(port)]);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: string) => process.stdout.write(text));
  let hasEnded = false;
  child.on('close', () => {
    hasEnded = true;
  });
  await until('npm start', START_TIMEOUT_MS, async () => {
    if (hasEnded) throw new UserError('npm start exited; see above.');
    return await isHealthy(baseUrlOf(port));
  });
  return () => child.stdin.end();
}

function isFilled(mark: DemoMark | null): boolean {
  if (mark?.state === 'own') throw new UserError('The local database has other data; the stories need the demo data.');
  return mark?.state === 'done';
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(5000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function until(what: string, timeoutMs: number, isThere: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    if (await isThere()) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UserError(`${what}: not ready within ${timeoutMs / 1000} s.`);
}
