import { listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { composeApp } from '../../src/composition.ts';
import { createInjector, type Death, NO_DEATH, type Use } from './injector.ts';
import { differenceOf, restoreWorld, settleObjects, stateOf, type World } from './world.ts';

/** Deaths of a run that are tried: before and after each of its uses of a binding or a request. */
export interface DeathOptions {
  now: number;
  /** Variables of the Worker. */
  variables: Readonly<Record<string, string>>;
  /** Which of the deaths to try. */
  pick?(use: Use, death: Death): boolean;
  varies?: RegExp | null;
}

/**
 * Tables and objects that are not compared: runs of jobs and states of sources, which record the death, and what counts requests to upstreams and objects.
 */
const UNCOMPARED = /^(?:RATE_LIMITS$|job_runs|upstream_|d1_migrations|activity_revisions|traffic|request_counts)/;

/** Runs that nothing disturbs, of which two in a row must end in the same state. */
const MAX_UNDISTURBED = 5;

/** Jobs of each minute that complete what others began. */
const DRAINS = [
  'events-watch',
  'mail',
  'feedback-forward',
  'token-changes',
  'mods-publish',
  'mods-announce',
  'account-deletions',
  'backup-changes',
];

/** Runs the jobs that complete what requests and other jobs began, as a minute after `now`. */
export async function drainQueues(now: number, variables: Readonly<Record<string, string>> = {}): Promise<void> {
  await endLeases();
  await env.DB.prepare('UPDATE outbox SET next_try_at = ?1 WHERE next_try_at <= ?2')
    .bind(now, now + 60)
    .run();
  const { scheduler } = composeApp({ ...env, ...variables } as Env);
  for (const name of DRAINS) await (await scheduler.start(name, now + 60))?.work;
}

/** Runs the periodic check of the event coordinator. */
async function checkEvents(): Promise<void> {
  for (const id of await listDurableObjectIds(env.EVENT_COORDINATOR)) await runDurableObjectAlarm(env.EVENT_COORDINATOR.get(id));
}

/** Ends the leases of a run that died, as time does. */
export async function endLeases(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('UPDATE job_runs SET lease_until = 1 WHERE lease_until IS NOT NULL'),
    env.DB.prepare('UPDATE outbox SET lease_until = 1 WHERE lease_until > 0'),
  ]);
}

/**
 * Lets a job die before and after each of its uses of a binding and its requests, and runs it again. Returns how the stored state then
 * differs from that after a run that nothing disturbed.
 */
export async function tryJobDeaths(name: string, world: World, options: DeathOptions) {
  const { now, variables, pick = () => true, varies = null } = options;
  const injector = createInjector();
  const restoreFetch = injector.watchFetch();
  const { scheduler: other } = composeApp(env);
  // The coordinator knows the state before the job, as it always does: a first look publishes nothing.
  const restore = async () => {
    await restoreWorld(world);
    await (await other.start('events-watch', now))?.work;
    await checkEvents();
  };
  const run = async (death: Death) => {
    const { scheduler } = composeApp({ ...injector.wrap(env), ...variables } as Env);
    return injector.runUntilDeath(async () => (await scheduler.start(name, now))?.work, death);
  };
  const state = async () => {
    await settleObjects();
    return stateOf(world, UNCOMPARED, varies);
  };
  // The coordinator checks every source each 30 s by the real clock: it publishes what the job did not, with another time and number.
  const stateAfterMinute = async () => {
    await drainQueues(now, variables);
    await checkEvents();
    // The change journal of the backup writes its entries in its own time.
    return (await state()).filter((line) => !line.startsWith('EVENT_') && !line.includes('"kind":"change-entries"'));
  };
  const runUndisturbed = async () => {
    await restore();
    const { uses } = await run(NO_DEATH);
    return { uses, expected: await state(), expectedLater: await stateAfterMinute() };
  };
  /** The end of two runs in a row: work that an earlier test left may store something during the first. */
  const undisturbed = async () => {
    let last = await runUndisturbed();
    let difference: string[] = [];
    for (let count = 1; count < MAX_UNDISTURBED; count += 1) {
      const next = await runUndisturbed();
      difference = [...differenceOf(last.expected, next.expected), ...differenceOf(last.expectedLater, next.expectedLater)];
      if (difference.length === 0 && next.uses.length === last.uses.length) return next;
      last = next;
    }
    throw new Error([`${name} ends in another state each time that nothing disturbs it`, ...difference].join('\n'));
  };
  try {
    const { uses, expected, expectedLater } = await undisturbed();
    const problems: string[] = [];
    let tried = 0;
    for (const [at, use] of uses.entries()) {
      for (const death of [
        { at, isAfter: false },
        { at, isAfter: true },
      ]) {
        if (!pick(use, death)) continue;
        await restore();
        if (!(await run(death)).struck) continue;
        tried += 1;
        await endLeases();
        await run(NO_DEATH);
        if (differenceOf(expected, await state()).length === 0) continue;
        // Another job may complete it a minute later.
        const difference = differenceOf(expectedLater, await stateAfterMinute());
        if (difference.length > 0)
          problems.push([`${name} died ${death.isAfter ? 'after' : 'before'} use ${at} (${use.what})`, ...difference].join('\n'));
      }
    }
    return { problems, tried, uses };
  } finally {
    restoreFetch();
  }
}
