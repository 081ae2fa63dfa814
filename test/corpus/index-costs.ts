import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { createFolderIndex, type StepCost } from './index-folder.ts';

const MIB = 1024 * 1024;

/**
 * `node --expose-gc test/corpus/index-costs.ts DIR [DIR…]`: prints what indexing 1, 10 and 100 % of the files of the first folder costs, then each next
 * folder as a new version, per kind of step. `--all`: 100 % only. Reads the folders in place.
 */
await runMain(async () => {
  const [first, ...next] = process.argv.slice(2).filter((argument) => argument !== '--all');
  if (first === undefined) throw new UserError('Usage: node --expose-gc test/corpus/index-costs.ts DIR [DIR…]');
  for (const share of process.argv.includes('--all') ? [1] : [0.01, 0.1, 1]) {
    const state = mkdtempSync(join(tmpdir(), 'index-costs-'));
    const index = await createFolderIndex(join(state, 'v3'));
    try {
      print(`${share * 100} % of ${first}`, (await index.index(first, share)).costs);
      if (share === 1) for (const dir of next) print(`then ${dir}`, (await index.index(dir)).costs);
    } finally {
      await index.dispose();
      rmSync(state, { recursive: true });
    }
  }
});

function print(title: string, costs: ReadonlyMap<string, StepCost>): void {
  console.log(`\n${title}`);
  const rows = [...costs].map(([step, cost]) => ({
    step,
    steps: cost.steps,
    'cpu s': round(cost.cpu),
    'max cpu s': round(cost.maxCpu),
    'D1 s': round(cost.database),
    'max D1 s': round(cost.maxDatabase),
    'max D1 cpu s': round(cost.maxDatabaseCpu),
    statements: cost.statements,
    'max statements': cost.maxStatements,
    'rows read': cost.rowsRead,
    'rows written': cost.rowsWritten,
    'max rows written': cost.maxRowsWritten,
    'max parameter kB': Math.round(cost.maxParameter / 1000),
    'max memory MiB': Math.round(cost.maxMemory / MIB),
    'live MiB': Math.round(cost.maxLive / MIB),
  }));
  console.table(rows);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
