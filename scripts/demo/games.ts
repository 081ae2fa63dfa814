import { acquireBranch } from '../lib/archive/holder.ts';
import { importFolder } from '../lib/archive/import-folder.ts';
import { createProgressPrinter } from '../lib/archive/progress.ts';
import { createDemoClient, type DemoClient } from '../lib/demo-client.ts';
import type { GameFolder } from '../lib/dev/start-options.ts';
import { runStep } from '../lib/steps.ts';
import { BRANCH, type DemoWorld, indexSearch, indexVersion } from './steps.ts';

const PARALLEL = 4;
/** Half an hour: a version of the real size on a slow machine. */
const INDEX_TIMEOUT_MS = 1_800_000;

/**
 * Stores folders of the game as versions, older first, and indexes each before the next, because the codex compares indexed versions.
 * Prints the times until the entries of the first and of the last version are visible.
 */
export async function storeGames({ state, server }: Pick<DemoWorld, 'state' | 'server'>, games: readonly GameFolder[]): Promise<void> {
  const client = createDemoClient(server);
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  const lease = await acquireBranch({ ...state, branch: BRANCH, takeOver: false });
  try {
    for (const [index, { dir, tag }] of games.entries()) {
      const printer = createProgressPrinter((line) => console.log(`${tag}: ${line}`));
      const now = () => Math.floor(Date.now() / 1000);
      const callbacks = { now, onScan: printer.scan, onProgress: printer.store };
      const standing = 'What was stored stays. Start again with the same --game to continue.';
      const result = await runStep({ name: `Storing --game ${dir}`, standing }, () =>
        importFolder({ branch: BRANCH, dir, tag, roots: null }, { archive: state, store: lease.store, parallel: PARALLEL, ...callbacks }),
      );
      for (const { path, reason } of result.skipped) console.log(`${tag}: skipped ${path}: ${reason}`);
      if (result.kind === 'imported') {
        const { filesAdded, filesModified, filesRemoved } = result.version;
        console.log(`${tag}: ${filesAdded} added, ${filesModified} modified, ${filesRemoved} removed after ${seconds()}; indexing.`);
      } else console.log(`${tag}: the archive has these files already.`);
      if (result.kind !== 'unchanged') await indexVersion(client, result.version.ordinal, INDEX_TIMEOUT_MS);
      const place = games.length === 1 ? 'all' : index === 0 ? 'first' : index === games.length - 1 ? 'last' : 'next';
      console.log(`${tag}: ${await countEntries(client)} entries (${place} after ${seconds()}).`);
    }
  } finally {
    await lease.release();
  }
  await indexSearch(client);
}

async function countEntries(client: DemoClient): Promise<number> {
  const { items } = (await client.read('/v1/codexes/types')) as { items: { count: number }[] };
  return items.reduce((sum, { count }) => sum + count, 0);
}
