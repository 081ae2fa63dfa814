const MIB = 1024 * 1024;
const SAMPLE_MILLISECONDS = 100;

interface HeapUsage {
  usedSize: number;
  backingStorageSize?: number;
  embedderHeapUsedSize?: number;
}

/** What an isolate holds, watched over its inspector; garbage is collected before each look, so that only what is needed counts. */
export interface IsolateMemory {
  /** Peak in MiB since the start: heap and the bytes of its buffers. */
  stop(): Promise<number>;
}

/** Watches the isolate of a Worker through the inspector of the local runtime. */
export async function watchIsolate(inspectorPort: number, worker: string): Promise<IsolateMemory> {
  const targets = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as { id: string; webSocketDebuggerUrl: string }[];
  const found = targets.find(({ id }) => id.endsWith(worker));
  if (!found) throw new Error(`no inspector of ${worker} among ${targets.map(({ id }) => id).join(', ')}`);
  const socket = new WebSocket(found.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the inspector refuses')));
  });
  let calls = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const ask = (method: string) =>
    new Promise<unknown>((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method }));
    });
  let peak = 0;
  let isWatching = true;
  const watch = async () => {
    await ask('HeapProfiler.enable');
    while (isWatching) {
      await ask('HeapProfiler.collectGarbage');
      const usage = (await ask('Runtime.getHeapUsage')) as HeapUsage;
      peak = Math.max(peak, usage.usedSize + (usage.backingStorageSize ?? 0) + (usage.embedderHeapUsedSize ?? 0));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MILLISECONDS));
    }
  };
  const watching = watch();
  return {
    async stop() {
      isWatching = false;
      await watching;
      socket.close();
      return peak / MIB;
    },
  };
}
