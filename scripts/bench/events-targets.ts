import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type BundleOptions, type RunningBundle, startBundle } from '../lib/bundle.ts';
import { cpuSecondsOf, memoryOf, runtimePids } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';
import type { StreamAddress } from './events-clients.ts';

const HOST = '127.0.0.1';
const OURS_PORT = 18_797;
const PEER_PORT = 18_798;
const SHARDS = 8;
const LIFTED = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };

/** A server of an event stream, as the benchmark uses it. */
export interface Target {
  name: string;
  stream: StreamAddress;
  /** Publishes an event that contains the name; resolves with the server's response. */
  publish(name: string): Promise<void>;
  /** Number of open streams according to the server. */
  liveCount(): Promise<number>;
  /** Resident memory in KiB. */
  memory(): number;
  /** CPU time so far, in milliseconds. */
  processorMs(): number;
  dispose(): Promise<void>;
}

export interface ServiceTarget extends Target {
  bundle: RunningBundle;
}

export interface OursOptions extends Pick<BundleOptions, 'reuseBuild' | 'bundleFolder' | 'inspectorPort'> {
  name?: string;
  vars?: Record<string, string>;
}

/** Starts the bundle in the local runtime, with a direct socket to the Worker. */
export async function startService({ name = 'ours', vars = {}, ...options }: OursOptions = {}): Promise<ServiceTarget> {
  const before = new Set(runtimePids());
  const directSocket = { host: HOST, port: OURS_PORT };
  const bundle = await startBundle({ ...options, withoutAssets: true, directSocket, vars: { ...LIFTED, ...vars } });
  const [pid] = runtimePids().filter((found) => !before.has(found));
  if (pid === undefined) throw new Error('the process of the runtime was not found');
  const shards = await bundle.mf.getDurableObjectNamespace('EVENT_SHARDS');
  const headers = { Authorization: `Bearer ${await bundle.mintToken({ superuser: true })}`, 'Content-Type': 'application/json' };
  return {
    name,
    bundle,
    stream: { host: HOST, port: OURS_PORT, path: '/v1/events/stream' },
    async publish(challenge) {
      const url = `${bundle.directUrl}/v1/rotations/challenge/insert`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: challenge }) });
      if (!response.ok) throw new Error(`insert: ${response.status} ${await response.text()}`);
      await response.text();
    },
    async liveCount() {
      const names = Array.from({ length: SHARDS }, (_, index) => `shard-${index}`);
      const counts = await Promise.all(
        names.map((name) => (shards.get(shards.idFromName(name)) as unknown as { connections(): Promise<number> }).connections()),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    memory: () => memoryOf(pid).now / 1024,
    processorMs: () => 1000 * (cpuSecondsOf(pid) ?? 0),
    dispose: bundle.dispose,
  };
}

/** Starts a process of better-sse that sends the same snapshot and events. */
export async function startPeer(snapshot: unknown[], event: (name: string) => unknown): Promise<Target> {
  const env = { ...process.env, PEER_PORT: String(PEER_PORT), PEER_SNAPSHOT: JSON.stringify(snapshot) };
  const child: ChildProcess = fork(inRoot('scripts', 'bench', 'events-peer.ts'), { env });
  await once(child, 'message');
  const origin = `http://${HOST}:${PEER_PORT}`;
  return {
    name: 'better-sse',
    stream: { host: HOST, port: PEER_PORT, path: '/stream' },
    async publish(name) {
      await (await fetch(`${origin}/publish`, { method: 'POST', body: JSON.stringify(event(name)) })).text();
    },
    liveCount: async () => Number(await (await fetch(`${origin}/count`)).text()),
    memory: () => memoryOf(child.pid ?? 0).now / 1024,
    processorMs: () => 1000 * (cpuSecondsOf(child.pid ?? 0) ?? 0),
    async dispose() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
