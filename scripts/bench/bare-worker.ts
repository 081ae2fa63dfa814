import { startBareRuntime } from './bare-runtime.ts';

/** A response to repeat: the yardstick has the same status, headers and bytes and does nothing else. */
export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers the runtime writes itself. */
const TRANSPORT_HEADERS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding']);

/** Asks once, with a body as a POST, and records the response. */
export async function recordResponse(url: string, headers: Record<string, string>, body?: string): Promise<RecordedResponse> {
  const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body });
  const kept = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.has(name));
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
}

/** The least object that counts: one number in memory, one object for each client. */
const COUNTER_CLASS =
  "import { DurableObject } from 'cloudflare:workers'; export class Counter extends DurableObject { n = 0; take(limit, seconds, now) { return ++this.n; } }";
const OBJECT_CALL = "await env.COUNTERS.getByName(request.headers.get('CF-Connecting-IP') ?? '').take(30, 60, 1);";

interface BareOptions {
  host: string;
  port: number;
  /** Make one call to a counting object first: the floor of anything that counts exactly. */
  callsObject?: boolean;
}

/** A Worker that responds to every request with the recorded response. */
export async function startBareWorker(answer: RecordedResponse, options: BareOptions): Promise<{ dispose(): Promise<void> }> {
  const { callsObject = false, ...socket } = options;
  const body = answer.status === 304 ? 'null' : JSON.stringify(answer.body);
  const init = JSON.stringify({ status: answer.status, headers: answer.headers });
  const script = `${callsObject ? COUNTER_CLASS : ''} const body = ${body}; const init = ${init};
    export default { async fetch(request, env) { ${callsObject ? OBJECT_CALL : ''} return new Response(body, init); } };`;
  const durableObjects = { COUNTERS: { className: 'Counter', useSQLite: true } };
  const mf = await startBareRuntime(script, socket, callsObject ? { durableObjects } : {});
  return { dispose: () => mf.dispose() };
}
