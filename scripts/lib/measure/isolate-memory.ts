import type { Miniflare } from 'miniflare';
import { connectInspector } from './inspector.ts';

/** Memory of an isolate in bytes: heap objects and array buffers. WebAssembly memory is not included. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** Memory of an isolate at the time of the largest sum, in bytes. */
export interface MemoryPeak {
  /** Heap and buffers; the smaller of two samples, because a sample includes garbage of the time since the last collection. */
  heap: number;
  /** All WebAssembly memories at that time, including unreferenced ones that are not collected yet. They never shrink. */
  wasm: number;
  /** Heap, buffers and WebAssembly memory after a garbage collection. */
  rest: number;
}

export interface MemoryWatch {
  /** Returns the peaks since the last call, then collects garbage and resets them. */
  resetPeaks(): Promise<MemoryPeak>;
  stop(): Promise<void>;
}

const SAMPLE_MS = 25;

/**
 * Script that logs the size of all WebAssembly memories when one is created or grows; the last entry stays in the log. It is read rarely:
 * the local runtime may crash when the inspector evaluates scripts during requests.
 */
const TRACK_MEMORIES = `(() => {
  const { Instance, Memory } = WebAssembly;
  const { grow } = Memory.prototype;
  const known = new Set();
  let log = [];
  const note = () => {
    let bytes = 0;
    for (const reference of known) {
      const memory = reference.deref();
      if (memory) bytes += memory.buffer.byteLength;
      else known.delete(reference);
    }
    log.push({ at: Date.now(), bytes });
  };
  WebAssembly.Instance = function (module, imports) {
    const instance = new Instance(module, imports);
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) known.add(new WeakRef(value));
    note();
    return instance;
  };
  Memory.prototype.grow = function (pages) {
    const before = grow.call(this, pages);
    note();
    return before;
  };
  globalThis.takeWasmLog = () => {
    note();
    const taken = log;
    log = taken.slice(-1);
    return taken;
  };
})()`;

/**
 * Samples the memory of the service's isolate through the inspector, because the process also contains the simulated services.
 * `collects`: collect garbage before each sample, because the local runtime has no memory limit and rarely collects. The local runtime
 * accepts one inspector client at a time.
 */
export async function watchIsolate(mf: Miniflare, { collects = false } = {}): Promise<MemoryWatch> {
  const inspector = await connectInspector(mf);
  await inspector.evaluate(TRACK_MEMORIES);
  let samples: { at: number; heap: number }[] = [];
  let isStopped = false;
  const look = async () => {
    if (collects) await inspector.send('HeapProfiler.collectGarbage');
    const heap = sizeOf(await inspector.send<HeapUsage>('Runtime.getHeapUsage'));
    samples.push({ at: Date.now(), heap });
    return heap;
  };
  const watch = async () => {
    while (!isStopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  };
  const watching = watch();
  return {
    async resetPeaks() {
      await look();
      const seen = samples;
      await inspector.send('HeapProfiler.collectGarbage');
      samples = [];
      const restHeap = await look();
      const log = await inspector.evaluate<{ at: number; bytes: number }[]>('takeWasmLog()');
      return { ...peakOf(seen, log), rest: restHeap + (log.at(-1)?.bytes ?? 0) };
    },
    async stop() {
      isStopped = true;
      await watching;
      inspector.close();
    },
  };
}

const sizeOf = ({ usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }: HeapUsage) =>
  usedSize + embedderHeapUsedSize + backingStorageSize;

/** The largest sum of heap and WebAssembly memory. */
function peakOf(samples: readonly { at: number; heap: number }[], log: readonly { at: number; bytes: number }[]) {
  let peak = { heap: 0, wasm: 0 };
  for (const [index, { at, heap: ownHeap }] of samples.entries()) {
    const heap = Math.min(ownHeap, samples[index + 1]?.heap ?? ownHeap);
    const before = log.filter((entry) => entry.at <= at).at(-1)?.bytes ?? 0;
    const wasm = Math.max(before, ...log.filter((entry) => Math.abs(entry.at - at) <= SAMPLE_MS).map(({ bytes }) => bytes));
    if (heap + wasm > peak.heap + peak.wasm) peak = { heap, wasm };
  }
  return peak;
}
