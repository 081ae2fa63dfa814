import { buildBundle } from '../lib/build-bundle.ts';
import { runMain } from '../lib/main.ts';
import { CASES, COMPARED, ORACLE } from './calc-cases.ts';
import { measureEndpoints } from './calc-endpoints.ts';
import { startCalcRuntime } from './calc-runtime.ts';
import { createReport } from './report.ts';

const MIN_RATIO = 40;
const CONFIGURATIONS = Number(process.env.BENCH_CONFIGURATIONS ?? 2000);

const report = createReport(46, 16);

async function measureCalculators(): Promise<void> {
  const runtime = await startCalcRuntime();
  try {
    const times = new Map<string, number>();
    for (const [index, { name, target }] of CASES.entries()) {
      const { wall, cpu } = await runtime.timeOf(index);
      const counted = cpu ?? wall;
      times.set(name, counted);
      const measured = `${wall.toFixed(4)} ms  cpu ${cpu?.toFixed(4) ?? '-'} ms`;
      report(name, measured, target === undefined ? null : `at most ${target}`, target === undefined || counted <= target);
    }
    const ratio = (times.get(ORACLE) ?? 0) / (times.get(COMPARED) ?? 1);
    report('speed-up over building and sorting all layouts', `${ratio.toFixed(0)} x`, `at least ${MIN_RATIO}`, ratio >= MIN_RATIO);
    const different = await runtime.countDifferences(CONFIGURATIONS);
    report(`${CONFIGURATIONS} random configurations`, `${different} differ`, 'none', different === 0);
  } finally {
    await runtime.dispose();
  }
}

/** `npm run bench -- calc [calculators | endpoints]`: measures the calculators in workerd, and their endpoints under load. */
await runMain(async () => {
  const selected = process.argv[2];
  if (selected !== 'endpoints') await measureCalculators();
  if (selected === 'calculators') return;
  await buildBundle();
  await measureEndpoints(({ name, ours, bare, target }) => {
    const ratio = ours.rate / bare.rate;
    const cpu = `cpu ${ours.cpu.toFixed(0)} : ${bare.cpu.toFixed(0)} us = ${(bare.cpu / ours.cpu).toFixed(2)}`;
    const measured = `${ours.rate.toFixed(0)} : ${bare.rate.toFixed(0)} = ${ratio.toFixed(2)}  ${cpu}`;
    report(`${name}, requests/s`, measured, target === null ? null : `at least ${target}`, ours.errors === 0 && ratio >= (target ?? 0));
  });
});
