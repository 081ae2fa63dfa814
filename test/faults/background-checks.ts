import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { composeApp } from '../../src/composition.ts';
import { OBJECT_REPEATS } from '../../src/object-repeats.ts';
import { freshInstant } from '../support/requests.ts';
import { CLOSED_VARIABLES } from '../support/upstreams/closed.ts';
import { type createInjector, FAULTS } from './injector.ts';

type Injector = ReturnType<typeof createInjector>;

/** Uses of a binding that fail in turn: the first ones of a job or an alarm, which may make thousands. */
const MAX_USES = 6;
/** Faults of a job and an alarm: those that a repeat does not heal, and those whose use took effect. */
const LASTING = FAULTS.filter(({ times, isAfter }) => times > 1 || isAfter);
/** Objects of a class whose alarms are run. */
const MAX_OBJECTS = 2;
/** A day after the tests: the platform fires no alarm by itself. */
const LATER_MS = 86_400_000;

/** Names of all jobs. */
export const JOB_NAMES: readonly string[] = (await composeApp(env).scheduler.status(freshInstant())).map(({ name }) => name);

/** Runs a job once, as when its lease ended. Returns its error, null for success. */
async function runJob(injector: Injector, name: string, at = -1, fault: (typeof FAULTS)[number] | null = null) {
  await env.DB.prepare('DELETE FROM job_runs WHERE name = ?1').bind(name).run();
  const { scheduler } = composeApp({ ...injector.wrap(env), ...CLOSED_VARIABLES });
  return injector.run(
    async () => {
      const started = await scheduler.start(name, freshInstant()).catch(() => undefined);
      await started?.work;
      const row = await env.DB.prepare('SELECT last_error FROM job_runs WHERE name = ?1').bind(name).first<{ last_error: string | null }>();
      return row?.last_error ?? null;
    },
    at,
    fault,
  );
}

/** Runs a job with each fault at each of its first uses, then without one. Returns what must not be: a job that stays broken. */
export async function tryJobFaults(injector: Injector, name: string): Promise<string[]> {
  await runJob(injector, name);
  const { result: clean, uses } = await runJob(injector, name);
  const problems: string[] = [];
  for (const [at, use] of uses.slice(0, MAX_USES).entries()) {
    for (const fault of LASTING.filter(({ kind }) => kind === use.kind)) {
      await runJob(injector, name, at, fault);
      const { result: next } = await runJob(injector, name);
      if (next !== clean) problems.push(`${name}, use ${at} (${use.what}) ${fault.name}: the next run fails: ${next}`);
    }
  }
  return problems;
}

/**
 * Runs the alarms of objects of a binding with each fault at each of their first uses. Returns what must not be: an alarm that throws, which
 * the platform repeats only six times.
 */
export async function tryAlarmFaults(injector: Injector, binding: keyof typeof OBJECT_REPEATS): Promise<string[]> {
  const objects = env[binding] as DurableObjectNamespace;
  const problems: string[] = [];
  for (const id of (await listDurableObjectIds(objects)).slice(0, MAX_OBJECTS)) {
    const stub = objects.get(id);
    const alarm = async (at = -1, fault: (typeof FAULTS)[number] | null = null) => {
      await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + LATER_MS));
      return injector.run(() => runDurableObjectAlarm(stub), at, fault);
    };
    const { uses } = await alarm();
    for (const [at, use] of uses.slice(0, MAX_USES).entries()) {
      for (const fault of LASTING.filter(({ kind }) => kind === use.kind)) {
        const error = await alarm(at, fault).then(
          () => null,
          (failure: unknown) => failure,
        );
        if (error !== null) problems.push(`alarm of ${binding}, use ${at} (${use.what}) ${fault.name}: ${error}`);
      }
    }
  }
  return problems;
}

/** The bindings of all objects. */
export const OBJECT_BINDINGS = Object.keys(OBJECT_REPEATS) as (keyof typeof OBJECT_REPEATS)[];
