import { env } from 'cloudflare:workers';
import { expect, inject } from 'vitest';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import { appFetch } from '../support/app-fetch.ts';
import { fixedSettings } from '../support/declarations.ts';
import { ALL_ON } from '../support/endpoints.ts';
import { type Cost, costOf, growthOf, MAX_GROWTH } from '../support/growth/cost.ts';
import { type CallOptions, call } from '../support/requests.ts';

/** The cost of a request at one age of the store. `time`: median duration as a multiple of the fixed query. */
interface TimedCost extends Cost {
  time: number;
}

const REPEATS = 3;
/** Independent of what is stored. */
const FIXED_QUERY = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT sum(i) FROM n';
const settings = fixedSettings(ALL_ON);

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Milliseconds of `work`, which must use a binding: the clock of the runtime stands still otherwise. */
async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Requests of several ages of a store, each in an isolate without cached data. */
export function createAges(now: () => number) {
  const ages = new Map<string, Map<string, TimedCost>>();

  async function request(path: string, options: CallOptions): Promise<number> {
    const fetch = appFetch(createApp({ ...composeApp(env), settings }));
    const { status, bytes, text } = await call(path, { now: now(), ...options }, fetch);
    expect(status, `${path}: ${text.slice(0, 300)}`).toBeLessThan(300);
    return bytes.byteLength;
  }

  /** Notes the cost of work that returns the size of its response. `repeats`: of the measurement of its time. */
  async function noteWork(age: string, name: string, run: () => Promise<number>, repeats = 1): Promise<void> {
    const durations: number[] = [];
    const fixed: number[] = [];
    let cost: Cost | null = null;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      fixed.push(await durationOf(() => env.DB.prepare(FIXED_QUERY).run()));
      const work = async () => {
        const measured = await costOf(run);
        cost ??= measured;
      };
      durations.push(await durationOf(work));
    }
    const costs = ages.get(age) ?? new Map<string, TimedCost>();
    costs.set(name, { ...(cost as unknown as Cost), time: median(durations) / Math.max(1, median(fixed)) });
    ages.set(age, costs);
  }

  return {
    noteWork,

    /** Notes the cost of a request. */
    note: (age: string, name: string, options: CallOptions = {}, path = name, repeats = REPEATS): Promise<void> =>
      noteWork(age, name, () => request(path, options), repeats),

    /** Requests that grew between two ages, with their costs. */
    grown(from: string, to: string, names?: RegExp): string[] {
      const later = ages.get(to);
      return [...(ages.get(from) ?? [])].flatMap(([name, small]) => {
        const large = later?.get(name);
        if (!large || (names && !names.test(name))) return [];
        return growthOf(small, large) > MAX_GROWTH ? [`${name}: ${JSON.stringify(small)} -> ${JSON.stringify(large)}`] : [];
      });
    },

    /** Prints a line for each request and age. */
    async print(title: string, more: readonly string[] = []): Promise<void> {
      const lines = [...ages].flatMap(([age, costs]) =>
        [...costs].map(
          ([name, { rows, statements, kv, r2, bytes, time }]) =>
            `YEARS ${age} | ${name} | ${rows} | ${statements} | ${kv} | ${r2} | ${bytes} | ${time.toFixed(1)}`,
        ),
      );
      const head = [`${title}; time as a multiple of a fixed query`, 'YEARS age | request | rows | statements | KV | R2 | bytes | time'];
      await fetch(inject('processorTime'), { method: 'POST', body: `${[...head, ...lines, ...more].join('\n')}\n` });
    },
  };
}
