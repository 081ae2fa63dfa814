import type { Miniflare } from 'miniflare';
import { connectInspector } from './inspector.ts';

/** Memory of an isolate in bytes: heap objects and array buffers. WebAssembly memory is not included. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** Memory of an isolate in the sample with the largest sum, in bytes. */
export interface MemoryPeak {
  /** Heap and buffers, including garbage unless it is collected before each sample. */
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

/** Script that tracks WebAssembly memories. */
const TRACK_MEMORIES = `(() => {
  const { Instance, Memory } = WebAssembly;
  const known = new Set();
  WebAssembly.Instance = function (module, imports) {
    const instance = new Instance(module, imports);
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) known.add(new WeakRef(value));
    return instance;
  };
  globalThis.wasmBytes = () => {
    let sum = 0;
    for (const reference of known) {
      const memory = reference.deref();
      if (memory) sum += memory.buffer.byteLength;
      else known.delete(reference);
    }
    return sum;
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
  let peak = { heap: 0, wasm: 0 };
  let isStopped = false;
  const look = async () => {
    if (collects) await inspector.send('HeapProfiler.collectGarbage');
    const heap = sizeOf(await inspector.send<HeapUsage>('Runtime.getHeapUsage'));
    const wasm = await inspector.evaluate<number>('wasmBytes()');
    if (heap + wasm > peak.heap + peak.wasm) peak = { heap, wasm };
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
      const { heap, wasm } = peak;
      await inspector.send('HeapProfiler.collectGarbage');
      peak = { heap: 0, wasm: 0 };
      await look();
      return { heap, wasm, rest: peak.heap + peak.wasm };
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
