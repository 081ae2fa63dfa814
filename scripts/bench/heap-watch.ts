import type { Miniflare } from 'miniflare';

/** What an isolate holds, in bytes: objects of the heap, and the buffers behind arrays. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

export interface HeapWatch {
  /** The most the isolate held at any look, in bytes; dead objects included unless they are collected first. */
  stop(): number;
}

const SAMPLE_MILLISECONDS = 25;

/**
 * Looks at the memory of one isolate again and again, through the debugger: that of the process holds the simulated services too.
 * `collects`: garbage is collected before each look, as the local runtime, which knows no limit, leaves it lying for long.
 */
export async function watchHeap(mf: Miniflare, isolate: string, { collects = false } = {}): Promise<HeapWatch> {
  const inspector = await (mf as Miniflare & { getInspectorURL(): Promise<URL> }).getInspectorURL();
  const socket = new WebSocket(new URL(`/${isolate}`, inspector).href);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no debugger of ${isolate}`)), { once: true });
  });
  let peak = 0;
  let id = 0;
  let isAsking = false;
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Partial<HeapUsage> };
    if (result?.usedSize === undefined) return;
    isAsking = false;
    peak = Math.max(peak, result.usedSize + (result.embedderHeapUsedSize ?? 0) + (result.backingStorageSize ?? 0));
  });
  const send = (method: string) => {
    id += 1;
    socket.send(JSON.stringify({ id, method }));
  };
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    if (collects) send('HeapProfiler.collectGarbage');
    send('Runtime.getHeapUsage');
  }, SAMPLE_MILLISECONDS);
  return {
    stop() {
      clearInterval(timer);
      socket.close();
      return peak;
    },
  };
}
