import type { Miniflare } from 'miniflare';

/** Our Worker among the isolates of the local runtime. */
const SERVICE = 'core:user:game-data-api';

/** The debugger of an isolate. */
export interface Inspector {
  /** Sends a command of the debugger's protocol. Throws an error of the response. */
  ask<Result>(method: string, params?: object): Promise<Result>;
  /** Value of an expression over the isolate's globals. */
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

/** Debugs our Worker in a runtime that was started with an `inspectorPort`. */
export async function connectInspector(mf: Miniflare): Promise<Inspector> {
  const inspector = await (mf as Miniflare & { getInspectorURL(): Promise<URL> }).getInspectorURL();
  const socket = new WebSocket(new URL(`/${SERVICE}`, inspector).href);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no debugger of ${SERVICE}`)), { once: true });
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let contextId: number | undefined;
  let asked = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data)) as Message;
    if (method === 'Runtime.executionContextCreated') contextId = params?.context?.id;
    if (id === undefined) return;
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  const ask = <Result>(method: string, params: object = {}): Promise<Result> => {
    asked += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(asked, answer);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return answer.promise as Promise<Result>;
  };
  await ask('Runtime.enable');
  await ask('HeapProfiler.enable');
  return {
    ask,
    async evaluate<Value>(expression: string) {
      const { result } = await ask<{ result: { value: Value } }>('Runtime.evaluate', { expression, contextId, returnByValue: true });
      return result.value;
    },
    close: () => socket.close(),
  };
}
