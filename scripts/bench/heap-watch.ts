import type { Miniflare } from 'miniflare';

/** What an isolate holds, in bytes: objects of the heap, and the buffers behind arrays. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

export interface HeapWatch {
  /** The most the isolate held at any look, in bytes, dead objects included. */
  stop(): number;
}

const SAMPLE_MILLISECONDS = 25;

/** Looks at the memory of one isolate again and again, through the debugger: that of the process holds the simulated services too. */
export async function watchHeap(mf: Miniflare, isolate: string): Promise<HeapWatch> {
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
    isAsking = false;
    const { result } = JSON.parse(String(data)) as { result?: HeapUsage };
    if (!result) return;
    peak = Math.max(peak, result.usedSize + (result.embedderHeapUsedSize ?? 0) + (result.backingStorageSize ?? 0));
  });
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    id += 1;
    socket.send(JSON.stringify({ id, method: 'Runtime.getHeapUsage' }));
  }, SAMPLE_MILLISECONDS);
  return {
    stop() {
      clearInterval(timer);
      socket.close();
      return peak;
    },
  };
}
