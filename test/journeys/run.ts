import { DEMO_SIZE } from '../../scripts/demo/steps.ts';
import { ensureBundle, startBundle } from '../../scripts/lib/bundle.ts';
import { withDemoWorld } from '../../scripts/lib/demo-world.ts';
import { readDemoMark } from '../../scripts/lib/dev/demo-mark.ts';
import { type DevFile, readDevFile } from '../../scripts/lib/dev/dev-file.ts';
import { parseOptions, runMain, UserError } from '../../scripts/lib/main.ts';
import { DEV_FILE } from '../../scripts/lib/paths.ts';
import { checkPackages, runClients } from '../clients/clients.ts';
import { SMOKE_CHECKS } from '../smoke/smoke-checks.ts';
import { runSnippets, snippetsIn } from '../snippets/run-snippets.ts';
import { STORIES } from '../stories/index.ts';
import { type Story, User } from '../stories/user.ts';

const PARTS = ['smoke', 'stories', 'snippets', 'clients'] as const;
type Part = (typeof PARTS)[number];

const USAGE = `Usage:
  npm run journeys                 all of the following
  npm run smoke                    a smoke test of the bundle with the committed configuration
  npm run stories [-- WORD]        user journeys, on npm start if it runs; WORD: part of their titles
  npm run snippets [-- FILE...]    code samples of the README, the guides and the operations pages
  npm run clients [-- --faults]    both clients and the examples of the document; --faults: only the proxy that fails

  --reuse  uses the existing dist/`;

/**
 * `npm run journeys`: what people and programs do with the deployable bundle. `npm run smoke`, `stories`, `snippets` and `clients` run one
 * part. All but the smoke test share one server with demo data.
 */
await runMain(async () => {
  const options = { reuse: { type: 'boolean', default: false }, faults: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseOptions({ allowPositionals: true, options }, USAGE);
  const [chosen, ...words] = positionals;
  const parts = PARTS.filter((part) => chosen === undefined || part === chosen);
  const failures = new Map<Part, number>();
  const runPart = async (part: Part, run: () => Promise<number>) => {
    if (parts.includes(part)) failures.set(part, await run());
  };
  const running = chosen === 'stories' ? await runningServer() : null;
  if (running) {
    await runPart('stories', () => runStories(running, words, STORIES));
  } else {
    await ensureBundle({ reuseBuild: values.reuse });
    await runPart('smoke', runSmoke);
    if (chosen !== 'smoke') {
      if (parts.includes('clients')) await checkPackages(values.faults);
      const snippets = parts.includes('snippets') ? snippetsIn(words) : [];
      await withDemoWorld({ reuseBuild: true, size: DEMO_SIZE }, async (server, bundle) => {
        // As every minute of `npm start`: the feeds are read.
        await (await bundle.mf.getWorker()).scheduled({ cron: '* * * * *' });
        // The rate limits of this server are multiplied, for the clients.
        const stories = STORIES.filter(({ needsUsualLimits }) => !needsUsualLimits);
        await runPart('stories', () => runStories(server, words, stories));
        await runPart('snippets', () => runSnippets(snippets, server));
        // Last: they delete data that the others read, and move the clock.
        await runPart('clients', () => runClients(server, bundle, values.faults));
      });
    }
  }
  for (const [part, failed] of failures) console.log(`${part}: ${failed} failed`);
  if ([...failures.values()].some((failed) => failed > 0)) process.exitCode = 1;
});

/** The running `npm start`; null if there is none. Throws while it has no demo data. */
async function runningServer(): Promise<DevFile | null> {
  const server = readDevFile(DEV_FILE);
  if (!server) return null;
  const isHealthy = await fetch(`${server.base_url}/health`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isHealthy) return null;
  if (readDemoMark()?.state !== 'done') throw new UserError('npm start has no demo data, or has not added all of it yet.');
  return server;
}

function runStories(server: DevFile, [word = '']: readonly string[], stories: readonly Story[]): Promise<number> {
  const user = new User(server);
  const chosen = stories.filter(({ title }) => title.includes(word));
  return runChecks(chosen.map(({ title, run }) => [title, () => run(user)]));
}

/** On a server of its own: its configuration is the committed one. */
async function runSmoke(): Promise<number> {
  const bundle = await startBundle({ reuseBuild: true });
  try {
    return await runChecks(Object.entries(SMOKE_CHECKS).map(([title, check]) => [title, () => check(bundle)]));
  } finally {
    await bundle.dispose();
  }
}

/** Runs checks one after the other and prints the result and the time of each. Returns the number of failures. */
async function runChecks(checks: readonly (readonly [title: string, run: () => Promise<void>])[]): Promise<number> {
  let failed = 0;
  for (const [title, run] of checks) {
    const startedAt = performance.now();
    try {
      await run();
      console.log(`  ok    ${title} (${Math.round(performance.now() - startedAt)} ms)`);
    } catch (error) {
      failed += 1;
      console.error(`  FAIL  ${title}\n${error instanceof Error ? error.message : error}`);
    }
  }
  return failed;
}
