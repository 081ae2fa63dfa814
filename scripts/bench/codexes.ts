import { runMain } from '../lib/main.ts';
import { measureCodexReads } from './codex-reads.ts';
import { printRow } from './report.ts';

const ENTRIES = Number(process.env.BENCH_CODEX_ENTRIES ?? 100_000);
const MAX_P95_MS = 60;
const MAX_READ_PER_ROW = 50;

/** `npm run bench -- codexes`: measures rows read and response times of every kind of list on a branch with 100,000 entries. */
await runMain(async () => {
  const { fillSeconds, megabytes, reads } = await measureCodexReads(ENTRIES);
  console.log(`${ENTRIES} entries written in ${fillSeconds.toFixed(1)} s, database of ${megabytes.toFixed(0)} MB`);
  console.log(`targets: p95 at most ${MAX_P95_MS} ms; at most ${MAX_READ_PER_ROW} rows read for each row returned where marked *`);
  printRow('list', 44, ['rows', 'read first', 'read', 'per row', 'first ms', 'p50 ms', 'p95 ms'], 11);
  for (const { name, isBounded, rowsReturned, rowsReadFirst, rowsRead, firstMs, p50, p95 } of reads) {
    const perRow = rowsRead / Math.max(1, rowsReturned);
    const isMet = p95 <= MAX_P95_MS && (!isBounded || perRow <= MAX_READ_PER_ROW);
    const numbers = [rowsReturned, rowsReadFirst, rowsRead, perRow.toFixed(1), firstMs.toFixed(1), p50.toFixed(1), p95.toFixed(1)];
    printRow(`${isBounded ? '*' : ' '} ${name}`, 44, numbers, 11, isMet ? 'ok' : 'MISSED');
    if (!isMet) process.exitCode = 1;
  }
});
