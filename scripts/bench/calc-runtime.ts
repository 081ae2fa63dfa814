import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWrangler } from '../lib/commands.ts';
import { median } from '../lib/measure/quantiles.ts';
import { cpuSecondsOf, runtimePids } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';
import { COMPATIBILITY_DATE, startBareRuntime } from './bare-runtime.ts';

const SOCKET = { host: '127.0.0.1', port: 18_792 };

/** Length of one measurement in milliseconds, and the number of measurements per median. */
const SPAN = 80;
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 21);

/** `wall`: median of many measurements. `cpu`: CPU time of the runtime, which other load affects less. */
export interface CaseTime {
  wall: number;
  cpu: number | null;
}

/** The calculators in workerd. Timed from outside, because a Worker's clock does not advance during computation. */
export interface CalcRuntime {
  /** Milliseconds of one run of a case. */
  timeOf(index: number): Promise<CaseTime>;
  /** Counts random configurations whose result differs from the oracle. */
  countDifferences(configurations: number): Promise<number>;
  dispose(): Promise<void>;
}

export async function startCalcRuntime(): Promise<CalcRuntime> {
  const mf = await startBareRuntime(await bundleWorker(), SOCKET, { compatibilityFlags: ['nodejs_compat'] });
  const pid = runtimePids().at(-1) ?? 0;
  const ask = async (query: string) => (await fetch(`http://${SOCKET.host}:${SOCKET.port}/?${query}`)).text();

  async function time(index: number, rounds: number): Promise<number> {
    const start = performance.now();
    await ask(`case=${index}&amount=${rounds}`);
    return performance.now() - start;
  }

  return {
    async timeOf(index) {
      const rounds = await roundsFor((amount) => time(index, amount));
      const empty = await medianOf(() => time(index, 0));
      const before = cpuSecondsOf(pid);
      const full = await medianOf(() => time(index, rounds));
      const after = cpuSecondsOf(pid);
      const cpu = before === null || after === null ? null : ((after - before) * 1000) / (SAMPLES * rounds);
      return { wall: Math.max(0, full - empty) / rounds, cpu };
    },
    async countDifferences(configurations) {
      const chunk = 10;
      let different = 0;
      for (let done = 0; done < configurations; done += chunk) {
        different += Number(await ask(`compare=chunk-${done}&amount=${Math.min(chunk, configurations - done)}`));
      }
      return different;
    },
    dispose: () => mf.dispose(),
  };
}

/** Bundles the Worker with wrangler in a temporary folder. */
async function bundleWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-calc-'));
  try {
    const config = join(folder, 'wrangler.json');
    const main = inRoot('scripts', 'bench', 'calc-worker.ts');
    const flags = ['nodejs_compat'];
    writeFileSync(config, JSON.stringify({ name: 'bench-calc', main, compatibility_date: COMPATIBILITY_DATE, compatibility_flags: flags }));
    await runWrangler(['deploy', '--dry-run', '--config', config, '--outdir', join(folder, 'out')]);
    return readFileSync(join(folder, 'out', 'calc-worker.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rounds that fill a measurement. Doubles the rounds until they do, which also warms up the code. */
async function roundsFor(time: (rounds: number) => Promise<number>): Promise<number> {
  let rounds = 1;
  while ((await time(rounds)) < SPAN && rounds < 2 ** 24) rounds *= 2;
  return rounds;
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const samples: number[] = [];
  while (samples.length < SAMPLES) samples.push(await measure());
  return median(samples);
}
