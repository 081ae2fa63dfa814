import type { Miniflare } from 'miniflare';
import { connectInspector } from './inspector.ts';

/** Memory of an isolate in bytes: objects of the heap, and the buffers behind arrays. Memory of WebAssembly is in neither. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** The most that an isolate held at any look, in bytes. */
export interface MemoryPeak {
  /** Heap and buffers; dead objects included unless they are collected first. */
  heap: number;
  /** All memories of WebAssembly together, those included that nothing refers to but that are not collected yet. */
  wasm: number;
  /** Both after garbage collection. */
  rest: number;
}

export interface MemoryWatch {
  /** The peaks since the last call, or since the beginning. Collects garbage, so that the next ones start from what is needed. */
  take(): Promise<MemoryPeak>;
  stop(): Promise<void>;
}

const SAMPLE_MS = 25;

/** Notes every memory of the isolate's modules as it is made and as it grows, which it only does from JavaScript here. */
const NOTE_MEMORIES = `(() => {
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
  globalThis.takeWasmPeak = () => { const taken = peak; peak = 0; look(); return { taken, rest: peak }; };
})()`;

/**
 * Looks at the memory of our isolate again and again, through the debugger: that of the process holds the simulated services too.
 * `collects`: garbage is collected before each look, as the local runtime, which knows no limit, leaves it lying for long.
 * The local runtime takes one debugger at a time.
 */
export async function watchIsolate(mf: Miniflare, { collects = false } = {}): Promise<MemoryWatch> {
  const inspector = await connectInspector(mf);
  await inspector.evaluate(NOTE_MEMORIES);
  let heap = 0;
  let isStopped = false;
  const look = async () => {
    const usage = await inspector.ask<HeapUsage>('Runtime.getHeapUsage');
    heap = Math.max(heap, sizeOf(usage));
  };
  const watch = async () => {
    while (!isStopped) {
      if (collects) await inspector.ask('HeapProfiler.collectGarbage');
      await look();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  };
  const watching = watch();
  return {
    async take() {
      await look();
      const peak = heap;
      await inspector.ask('HeapProfiler.collectGarbage');
      heap = 0;
      await look();
      const { taken, rest } = await inspector.evaluate<{ taken: number; rest: number }>('takeWasmPeak()');
      return { heap: peak, wasm: taken, rest: heap + rest };
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
