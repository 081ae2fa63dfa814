import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWrangler } from '../lib/commands.ts';
import { median } from '../lib/measure/quantiles.ts';
import { cpuSecondsOf, runtimePids } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';
import { COMPATIBILITY_DATE, startBareRuntime } from './bare-runtime.ts';

const SOCKET = { host: '127.0.0.1', port: 18_792 };

/** Length of one measurement, in milliseconds, and how many make a median. */
const SPAN = 80;
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 21);

/** `wall`: the middle of many measurements. `cpu`: processor time of the runtime, which a busy machine does not stretch as much. */
export interface CaseTime {
  wall: number;
  cpu: number | null;
}

/** The calculators in workerd, timed from outside: the clock stands still inside while nothing is waited for. */
export interface CalcRuntime {
  /** Milliseconds of one run of a case. */
  timeOf(index: number): Promise<CaseTime>;
  /** Random configurations that come out differently from the oracle. */
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
      const empty = await samples(() => time(index, 0));
      const before = cpuSecondsOf(pid);
      const full = await samples(() => time(index, rounds));
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

/** Bundles the Worker as wrangler does, outside of the checkout. */
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

/** Rounds that fill a measurement, found by doubling, which also warms the code up. */
async function roundsFor(time: (rounds: number) => Promise<number>): Promise<number> {
  let rounds = 1;
  while ((await time(rounds)) < SPAN && rounds < 2 ** 24) rounds *= 2;
  return rounds;
}

async function samples(take: () => Promise<number>): Promise<number> {
  const taken: number[] = [];
  while (taken.length < SAMPLES) taken.push(await take());
  return median(taken);
}
