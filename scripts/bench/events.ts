import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { maxConnectionsPerShard } from '../../src/areas/events/event-variables.domain.ts';
import { productionVars } from '../lib/config.ts';
import { runMain } from '../lib/main.ts';
import { watchIsolate } from '../lib/measure/isolate-memory.ts';
import { onStopRequest } from '../lib/stop-signals.ts';
import { Swarm } from './events-clients.ts';
import { type Fanout, measureDepartures, measureFanout, measureReplay, measureWaves, PRIMED_BY } from './events-measure.ts';
import { type ServiceTarget, startPeer, startService, type Target } from './events-targets.ts';

/** Numbers of clients; `BENCH_CLIENTS=1,100` for a short run. */
const SIZES = (process.env.BENCH_CLIENTS ?? '1,1000,5000').split(',').map(Number);
const LARGEST = Math.max(...SIZES);
const WARM_UP_CLIENTS = 100;
const WAVES = 5;
const WAVE_CLIENTS = Math.min(2000, LARGEST);
const MISSED_EVENTS = 1000;
const WHOLE_RUN_MS = 10 * 60_000;
const PEER = 'better-sse';
/** Targets for the largest number of clients. */
const MAX_MEDIAN_RATIO = 6;
const MAX_LAST_RATIO = 2;
const MAX_SHARD_MIB = 64;
const MIB_KIB = 1024;

const { values: options } = parseArgs({ options: { against: { type: 'string' }, quick: { type: 'boolean', default: false } } });

const ms = (value: number) => value.toFixed(0);
const seconds = (value: number | null) => (value === null ? 'NEVER' : value.toFixed(1));

interface Measured {
  name: string;
  fanouts: Map<number, Fanout>;
  /** Seconds until the server no longer counts clients that left; null: never. */
  reset: number | null;
  closed: number | null;
}

/** Measures one server: fan-out for each number of clients, and the time to detect disconnected clients. */
async function measure(target: Target): Promise<Measured> {
  const warmUp = new Swarm(target.stream, PRIMED_BY);
  await measureFanout(target, warmUp, WARM_UP_CLIENTS, 0);
  await measureDepartures(target, warmUp, WARM_UP_CLIENTS, 'reset');
  const emptyMemory = target.memory();
  const swarm = new Swarm(target.stream, PRIMED_BY);
  const fanouts = new Map<number, Fanout>();
  for (const size of SIZES) {
    fanouts.set(size, await measureFanout(target, swarm, size, emptyMemory));
    console.log(target.name, size, JSON.stringify(fanouts.get(size)));
  }
  const half = Math.floor(swarm.size / 2);
  const reset = await measureDepartures(target, swarm, half, 'reset');
  const closed = await measureDepartures(target, swarm, swarm.size, 'close');
  return { name: target.name, fanouts, reset, closed };
}

/** Reads the snapshot of a stream, which the baseline sends too. */
async function readSnapshot(target: ServiceTarget) {
  const abort = new AbortController();
  const { host, port, path } = target.stream;
  const response = await fetch(`http://${host}:${port}${path}`, { signal: abort.signal, headers: { 'CF-Connecting-IP': '10.9.1.1' } });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes(PRIMED_BY)) break;
  }
  abort.abort();
  const messages = [...text.matchAll(/^event: (\w+)\nid: \d+\ndata: (.*)$/gm)];
  return messages.map(([, type = '', data = '']) => ({ type, data: JSON.parse(data) as { data: Record<string, unknown> } }));
}

interface ShardMemory {
  streams: number;
  /** Growth of the process, in MiB: sockets, Worker and shard. */
  process: number;
  /** Growth of the isolate after a garbage collection, in MiB, for Worker and shard. The platform limits this value. */
  isolate: number;
}

/** Measures the memory of a full shard. Locally it shares process and isolate with the Worker, so the figures are upper bounds. */
async function measureShard(target: ServiceTarget): Promise<ShardMemory> {
  const streams = maxConnectionsPerShard(productionVars());
  const watch = await watchIsolate(target.bundle.mf);
  const warmUp = new Swarm(target.stream, PRIMED_BY);
  await measureFanout(target, warmUp, WARM_UP_CLIENTS, 0);
  await measureDepartures(target, warmUp, WARM_UP_CLIENTS, 'reset');
  const { rest: emptyIsolate } = await watch.resetPeaks();
  const emptyProcess = target.memory();
  const swarm = new Swarm(target.stream, PRIMED_BY);
  await measureFanout(target, swarm, streams, emptyProcess);
  const { rest } = await watch.resetPeaks();
  await watch.stop();
  const process = (target.memory() - emptyProcess) / MIB_KIB;
  await measureDepartures(target, swarm, swarm.size, 'reset');
  return { streams, process, isolate: (rest - emptyIsolate) / MIB_KIB / MIB_KIB };
}

function report(measured: readonly Measured[]): void {
  const rows: Record<string, Record<string, string>> = {};
  const peer = measured.find(({ name }) => name === PEER);
  for (const size of SIZES) {
    for (const { name, fanouts } of measured) {
      const result = fanouts.get(size);
      if (!result) continue;
      rows[`${size}, ${name}`] = {
        'first ms': ms(result.first),
        'median ms': ms(result.median),
        'last ms': ms(result.last),
        [`median / ${PEER}`]: (result.median / (peer?.fanouts.get(size)?.median ?? Number.NaN)).toFixed(1),
        'last / median': (result.last / result.median).toFixed(1),
        'CPU us per client': ms(result.cpuPerClient),
        'KiB per client': ms(result.memoryPerClient),
        'opened/s': ms(result.openedPerSecond),
        lost: String(result.lost),
      };
    }
  }
  console.table(rows);
  console.log(
    `Targets of this service at ${LARGEST} clients: median / ${PEER} <= ${MAX_MEDIAN_RATIO}, last / median <= ${MAX_LAST_RATIO}, lost 0.`,
  );
  for (const { name, reset, closed } of measured) {
    console.log(`${name}: live count correct ${seconds(reset)} s after resets, ${seconds(closed)} s after closes (target 25 s).`);
  }
}

function reportWaves(memory: readonly number[]): void {
  const growth = memory.map((value, wave) => (wave === 0 ? '' : `${((value / (memory[wave - 1] ?? value) - 1) * 100).toFixed(0)} %`));
  const rows = memory.map((value, wave) => ({ wave: wave + 1, 'RSS MiB': ms(value / MIB_KIB), growth: growth[wave] }));
  console.log(`Waves of ${WAVE_CLIENTS} clients that connect, receive an event and disconnect (target: waves 3-5 add at most 15 % each):`);
  console.table(rows);
}

let running: Target | null = null;

/** Runs `work` with a server and always stops the server afterwards. Only one server runs at a time. */
async function withTarget<Started extends Target, Result>(start: () => Promise<Started>, work: (target: Started) => Promise<Result>) {
  const target = await start();
  running = target;
  try {
    return await work(target);
  } finally {
    running = null;
    await target.dispose();
  }
}

/**
 * `npm run bench -- events`: measures this service, and better-sse on node:http with the same messages. `--against DIST` also measures
 * the build of another checkout; `--quick` skips waves, replay and the memory of a shard.
 */
await runMain(async () => {
  onStopRequest(() => void Promise.resolve(running?.dispose()).finally(() => process.exit(1)));
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), WHOLE_RUN_MS).unref();

  const { snapshot, waves, replay } = await withTarget(startService, async (target) => ({
    snapshot: await readSnapshot(target),
    waves: options.quick ? null : await measureWaves(target, WAVES, WAVE_CLIENTS),
    replay: options.quick ? null : await measureReplay(target, MISSED_EVENTS),
  }));
  const measured = [await withTarget(() => startService({ reuseBuild: true }), measure)];
  const { against } = options;
  if (against !== undefined) {
    measured.push(await withTarget(() => startService({ bundleFolder: resolve(against), name: 'other build' }), measure));
  }
  const challenge = snapshot.find(({ type }) => type === 'challenge')?.data;
  const peerEvent = (name: string) => ({ ...challenge, data: { ...challenge?.data, name } });
  measured.push(await withTarget(() => startPeer(snapshot, peerEvent), measure));
  const oneShard = { reuseBuild: true, inspectorPort: 0, vars: { EVENTS_SHARDS: '1' } };
  const shard = options.quick ? null : await withTarget(() => startService(oneShard), measureShard);

  report(measured);
  if (waves) reportWaves(waves);
  if (replay !== null) console.log(`Replay of ${MISSED_EVENTS} missed events with the snapshot: ${ms(replay)} ms (target 1000 ms).`);
  if (shard) {
    const { streams, process: processMemory, isolate } = shard;
    console.log(`One shard, ${streams} streams: isolate +${ms(isolate)} MiB (target ${MAX_SHARD_MIB}), process +${ms(processMemory)} MiB.`);
  }
  process.exit();
});
