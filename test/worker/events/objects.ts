import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { COORDINATOR, shardNames } from '../../../src/areas/events/event-variables.domain.ts';
import { bearer, type Fetch, type TestResponse } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { report } from '../rotations/reports.ts';

export { eventually, pause } from '../../support/eventually.ts';

/** Names of all shards. */
export const SHARDS: readonly string[] = shardNames(env);

export function coordinator() {
  return env.EVENT_COORDINATOR.getByName(COORDINATOR);
}

export function shard(name: string) {
  return env.EVENT_SHARDS.getByName(name);
}

/** Kills an object as a crash or a deployment does: its streams break, its storage stays. */
async function kill(object: DurableObjectStub): Promise<void> {
  await runInDurableObject(object, (_, state) => state.abort('killed by a test')).catch(() => {});
}

export const killShard = (name: string): Promise<void> => kill(shard(name));

/** Sets the clock of the alarm. Requests set theirs by header. */
export async function setClock(now: number): Promise<void> {
  await coordinator().setTestOffset(now - Math.floor(Date.now() / 1000));
}

/** Replaces the coordinator by an empty one. Work of the file before may have left or woken one that the next file must not see. */
export async function emptyCoordinator(): Promise<void> {
  await runInDurableObject(coordinator(), async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  // The next instance creates its tables.
  await kill(coordinator());
}

/**
 * Sets the clock of an empty coordinator, before the first stream of a test file. One that was woken at the real time would publish
 * every source that differs at `now`.
 */
export async function startClock(now: number): Promise<void> {
  await emptyCoordinator();
  await setClock(now);
}

/** Number of open streams in all shards. */
export async function liveCount(): Promise<number> {
  const counts = await Promise.all(SHARDS.map((name) => shard(name).connections()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Announces mod releases, numbered from `first`, one per second from `now` on. */
export async function announceReleases(count: number, { first = 0, now }: { first?: number; now: number }): Promise<void> {
  for (let number = first; number < first + count; number += 1) {
    await coordinator().announce('mod_release', String(number), JSON.stringify({ release: number }), now + number - first);
  }
}

/** Reports captures with a new superuser token. */
export function reporter(fetch?: Fetch) {
  let secret: Promise<string> | null = null;
  return async (kind: 'challenge' | 'chaos-chest', name: string, now: number): Promise<TestResponse> => {
    secret ??= createSuperuserToken();
    return report(kind, name, { authorization: bearer(await secret), now }, fetch);
  };
}
