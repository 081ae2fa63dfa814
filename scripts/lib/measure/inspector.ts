import type { Miniflare } from 'miniflare';

/** Name of the service's isolate in the local runtime. */
const SERVICE = 'core:user:game-data-api';

/** The debugger of an isolate. */
export interface Inspector {
  /** Sends a command of the DevTools protocol. Throws if the response is an error. */
  send<Result>(method: string, params?: object): Promise<Result>;
  /** Evaluates an expression in the isolate. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): void;
}

interface Message {
  id?: number;
  method?: string;
  params?: { context?: { id: number } };
  result?: unknown;
  error?: { message: string };
}

/** Connects to the service's isolate. The runtime must be started with an `inspectorPort`. */
export async function connectInspector(mf: Miniflare): Promise<Inspector> {
  const inspector = await (mf as Miniflare & { getInspectorURL(): Promise<URL> }).getInspectorURL();
  const socket = new WebSocket(new URL(`/${SERVICE}`, inspector).href);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`inspector of ${SERVICE} not found`)), { once: true });
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let contextId: number | undefined;
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data)) as Message;
    if (method === 'Runtime.executionContextCreated') contextId = params?.context?.id;
    if (id === undefined) return;
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  const send = <Result>(method: string, params: object = {}): Promise<Result> => {
    lastId += 1;
    const pending = Promise.withResolvers<unknown>();
    waiting.set(lastId, pending);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return pending.promise as Promise<Result>;
  };
  await send('Runtime.enable');
  await send('HeapProfiler.enable');
  return {
    send,
    async evaluate<Value>(expression: string) {
      const { result } = await send<{ result: { value: Value } }>('Runtime.evaluate', { expression, contextId, returnByValue: true });
      return result.value;
    },
    close: () => socket.close(),
  };
}
