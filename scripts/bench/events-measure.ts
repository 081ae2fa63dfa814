import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../lib/measure/quantiles.ts';
import { Swarm } from './events-clients.ts';
import type { ServiceTarget, Target } from './events-targets.ts';

const EVENTS = 5;
const EVENT_MS = 20_000;
/** The server detects a closed client at the next ping. */
const GONE_MS = 25_000;
/** Last message of the snapshot. */
export const PRIMED_BY = '"type":"daily_bonuses"';

/** Milliseconds from just before the insert, over several events: medians, and the maximum for the last client. */
export interface Fanout {
  first: number;
  median: number;
  last: number;
  insert: number;
  lost: number;
  /** CPU time of the server, in microseconds. */
  cpuPerClient: number;
  openedPerSecond: number;
  memoryPerClient: number;
}

let events = 0;

async function publishOne(target: Target, swarm: Swarm, size: number) {
  events += 1;
  const name = `Bench ${events} of ${process.pid}`;
  let start = 0;
  let insert = 0;
  const processor = target.processorMs();
  const arrivals = await swarm.expect(`"${name}"`, EVENT_MS, async () => {
    start = performance.now();
    await target.publish(name);
    insert = performance.now() - start;
  });
  const times = arrivals.map((at) => at - start).sort((one, other) => one - other);
  return {
    first: at(times, 0),
    median: median(times),
    last: at(times, times.length - 1),
    insert,
    lost: size - times.length,
    cpu: target.processorMs() - processor,
  };
}

/** Opens streams until there are `size`, then measures events to all of them. The streams stay open. */
export async function measureFanout(target: Target, swarm: Swarm, size: number, emptyMemory: number): Promise<Fanout> {
  const opened = size - swarm.size;
  const start = performance.now();
  await swarm.grow(size);
  const openedPerSecond = (opened / (performance.now() - start)) * 1000;
  const results: Awaited<ReturnType<typeof publishOne>>[] = [];
  for (let event = 0; event < EVENTS; event += 1) results.push(await publishOne(target, swarm, size));
  return {
    first: median(results.map(({ first }) => first)),
    median: median(results.map((result) => result.median)),
    last: Math.max(...results.map(({ last }) => last)),
    insert: median(results.map(({ insert }) => insert)),
    lost: results.reduce((sum, { lost }) => sum + lost, 0),
    cpuPerClient: (results.reduce((sum, { cpu }) => sum + cpu, 0) / EVENTS / size) * 1000,
    openedPerSecond,
    memoryPerClient: (target.memory() - emptyMemory) / size,
  };
}

/** Disconnects all clients. Returns the seconds until the server's count is correct, or null if it never is. */
export async function measureDepartures(target: Target, swarm: Swarm, count: number, how: 'reset' | 'close'): Promise<number | null> {
  const expected = swarm.size - count;
  const start = performance.now();
  swarm.kill(count, how);
  for (;;) {
    if ((await target.liveCount()) <= expected) return (performance.now() - start) / 1000;
    if (performance.now() - start > GONE_MS) return null;
    await sleep(50);
  }
}

/** Returns the memory in KiB after each wave of clients that connect, receive an event and disconnect. */
export async function measureWaves(target: Target, waves: number, clients: number): Promise<number[]> {
  const memory: number[] = [];
  for (let wave = 0; wave < waves; wave += 1) {
    const swarm = new Swarm(target.stream, PRIMED_BY);
    await swarm.grow(clients);
    await publishOne(target, swarm, clients);
    memory.push(target.memory());
    await measureDepartures(target, swarm, clients, 'reset');
  }
  return memory;
}

/** Milliseconds until a client that missed `missed` events within a day has received all of them and the snapshot. */
export async function measureReplay(target: ServiceTarget, missed: number): Promise<number> {
  const coordinators = await target.bundle.mf.getDurableObjectNamespace('EVENT_COORDINATOR');
  const coordinator = coordinators.get(coordinators.idFromName('coordinator')) as unknown as {
    announce(type: string, key: string, data: string, now: number): Promise<void>;
    join(): Promise<{ id: number }>;
  };
  const { id } = await coordinator.join();
  const start = Math.floor(Date.now() / 1000) - 86_400;
  for (let event = 0; event < missed; event += 1) {
    const data = JSON.stringify({ project: { slug: `mod-${event}` }, release: { id: event, changelog: 'x'.repeat(200) } });
    await coordinator.announce('mod_release', `bench-${event}`, data, start + Math.floor((event * 86_400) / missed));
  }
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const swarm = new Swarm({ ...target.stream, path: `${target.stream.path}?since=${id}` }, PRIMED_BY);
    const begin = performance.now();
    await swarm.grow(1);
    times.push(performance.now() - begin);
    await measureDepartures(target, swarm, 1, 'reset');
  }
  return median(times);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}
