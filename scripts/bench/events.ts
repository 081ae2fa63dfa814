import { runMain } from '../lib/main.ts';
import { onStopRequest } from '../lib/stop-signals.ts';
import { Swarm } from './events-clients.ts';
import { type Fanout, measureDepartures, measureFanout, measureReplay, measureWaves, PRIMED_BY } from './events-measure.ts';
import { type OurTarget, startOurs, startPeer, type Target } from './events-targets.ts';

/** Subscribers; `BENCH_CLIENTS=1,100` for a quick look. */
const SIZES = (process.env.BENCH_CLIENTS ?? '1,1000,5000').split(',').map(Number);
const LARGEST = Math.max(...SIZES);
const WARM_UP_CLIENTS = 100;
const WAVES = 5;
const WAVE_CLIENTS = Math.min(2000, LARGEST);
const MISSED_EVENTS = 1000;
const WHOLE_RUN_MILLISECONDS = 10 * 60_000;

const ms = (value: number) => value.toFixed(0);
const seconds = (value: number | null) => (value === null ? 'NEVER' : value.toFixed(1));

/** Everything about one server: fan-out at each size, and how soon it forgets those who left. */
async function measure(target: Target) {
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
  return { fanouts, reset, closed };
}

/** What a stream is primed with, and an event like that of an insert: the other server sends the same. */
async function readSnapshot(target: OurTarget) {
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

function report(ours: Awaited<ReturnType<typeof measure>>, peer: Awaited<ReturnType<typeof measure>>): void {
  const rows: Record<string, Record<string, string>> = {};
  for (const size of SIZES) {
    const results = { ours: ours.fanouts.get(size), 'better-sse': peer.fanouts.get(size) };
    for (const [name, result] of Object.entries(results)) {
      if (!result) continue;
      rows[`${size}, ${name}`] = {
        'first ms': ms(result.first),
        'median ms': ms(result.median),
        'last ms': ms(result.last),
        'insert ms': ms(result.insert),
        lost: String(result.lost),
        'KiB a client': ms(result.memoryPerClient),
        'opened/s': ms(result.openedPerSecond),
      };
    }
    const ratio = (results.ours?.median ?? Number.NaN) / (results['better-sse']?.median ?? Number.NaN);
    console.log(`${size} clients: median of ours / median of better-sse = ${ratio.toFixed(1)}`);
  }
  console.table(rows);
  console.log(`Live count right after resets: ours ${seconds(ours.reset)} s, better-sse ${seconds(peer.reset)} s.`);
  console.log(`Live count 0 after closes: ours ${seconds(ours.closed)} s, better-sse ${seconds(peer.closed)} s (target 25 s).`);
}

function reportWaves(memory: readonly number[]): void {
  const growth = memory.map((value, wave) => (wave === 0 ? '' : `${((value / (memory[wave - 1] ?? value) - 1) * 100).toFixed(0)} %`));
  const rows = memory.map((value, wave) => ({ wave: wave + 1, 'RSS MiB': ms(value / 1024), growth: growth[wave] }));
  console.log(`Waves of ${WAVE_CLIENTS} clients that come, get an event and vanish (target: waves 3-5 add at most 15 % each):`);
  console.table(rows);
}

let running: Target | null = null;

/** Starts one server at a time, so that none costs another anything, and stops it whatever happens. */
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

await runMain(async () => {
  onStopRequest(() => void Promise.resolve(running?.dispose()).finally(() => process.exit(1)));
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), WHOLE_RUN_MILLISECONDS).unref();

  const { snapshot, waves, replay } = await withTarget(startOurs, async (target) => ({
    snapshot: await readSnapshot(target),
    waves: await measureWaves(target, WAVES, WAVE_CLIENTS),
    replay: await measureReplay(target, MISSED_EVENTS),
  }));
  const ours = await withTarget(() => startOurs({ reuseBuild: true }), measure);
  const challenge = snapshot.find(({ type }) => type === 'challenge')?.data;
  const peerEvent = (name: string) => ({ ...challenge, data: { ...challenge?.data, name } });
  const peer = await withTarget(() => startPeer(snapshot, peerEvent), measure);

  report(ours, peer);
  reportWaves(waves);
  console.log(`Replay of ${MISSED_EVENTS} missed events with the snapshot: ${ms(replay)} ms (target 1000 ms).`);
  process.exit();
});
