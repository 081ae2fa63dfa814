import type { Miniflare } from 'miniflare';
import { connectInspector } from './inspector.ts';

/** Memory of an isolate in bytes: heap objects and array buffers. WebAssembly memory is not included. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** Peak memory of an isolate over all samples, in bytes. */
export interface MemoryPeak {
  /** Heap and buffers, including garbage unless it is collected before each sample. */
  heap: number;
  /** All WebAssembly memories, including unreferenced ones that are not collected yet. */
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

/** Script that tracks creation and growth of WebAssembly memories. These memories grow only from JavaScript. */
const TRACK_MEMORIES = `(() => {
  const { Instance, Memory } = WebAssembly;
  const { grow } = Memory.prototype;
  const known = new Set();
  let peak = 0;
  const look = () => {
    let sum = 0;
    for (const reference of known) {
      const memory = reference.deref();
      if (memory) sum += memory.buffer.byteLength;
      else known.delete(reference);
    }
    peak = Math.max(peak, sum);
  };
  WebAssembly.Instance = function (module, imports) {
    const instance = new Instance(module, imports);
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) known.add(new WeakRef(value));
    look();
    return instance;
  };
  Memory.prototype.grow = function (pages) {
    const before = grow.call(this, pages);
    look();
    return before;
  };
  globalThis.resetWasmPeak = () => { const previous = peak; peak = 0; look(); return { previous, rest: peak }; };
})()`;

/**
 * Samples the memory of the service's isolate through the inspector, because the process also contains the simulated services.
 * `collects`: collect garbage before each sample, because the local runtime has no memory limit and rarely collects. The local runtime
 * accepts one inspector client at a time.
 */
export async function watchIsolate(mf: Miniflare, { collects = false } = {}): Promise<MemoryWatch> {
  const inspector = await connectInspector(mf);
  await inspector.evaluate(TRACK_MEMORIES);
  let heap = 0;
  let isStopped = false;
  const look = async () => {
    const usage = await inspector.send<HeapUsage>('Runtime.getHeapUsage');
    heap = Math.max(heap, sizeOf(usage));
  };
  const watch = async () => {
    while (!isStopped) {
      if (collects) await inspector.send('HeapProfiler.collectGarbage');
      await look();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  };
  const watching = watch();
  return {
    async resetPeaks() {
      await look();
      const peak = heap;
      await inspector.send('HeapProfiler.collectGarbage');
      heap = 0;
      await look();
      const { previous, rest } = await inspector.evaluate<{ previous: number; rest: number }>('resetWasmPeak()');
      return { heap: peak, wasm: previous, rest: heap + rest };
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
