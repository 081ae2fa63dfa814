import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { ageTable, billsOf, billTable, secondTable, simulateFlows, streamTable } from './tables.ts';

/** Simulated flows. The simulation takes half a minute, so the test of docs/operations/scale.md reads them. */
const FLOWS = inRoot('test/scale/flows.json');

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

/**
 * `npm run bench -- scale`: the tables of docs/operations/scale.md. Fails above a target, and when the stored flows are not those of the
 * sources; `--write` stores them.
 */
await runMain(async () => {
  const flows = await simulateFlows();
  const text = `${JSON.stringify(flows, null, 2)}\n`;
  if (options.write) writeFileSync(FLOWS, text);
  const bills = billsOf(flows);
  for (const table of [billTable, ageTable, streamTable, secondTable]) console.log(`${table(bills)}\n`);
  const missed = bills.filter(({ target, total }) => total > target);
  if (missed.length > 0) throw new UserError(`above the target: ${missed.map(({ name }) => name).join(', ')}`);
  if (readFileSync(FLOWS, 'utf8') !== text) throw new UserError('test/scale/flows.json is out of date: run with --write');
});
