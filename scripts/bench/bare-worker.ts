import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Same as in wrangler.toml: the baseline runs with the service's settings. */
const COMPATIBILITY_DATE = '2026-10-23';

/** A recorded response. The baseline Worker returns the same status, headers and bytes. */
export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers that the runtime sets. */
const TRANSPORT_HEADERS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding']);

/** Sends one request and records the response. */
export async function recordResponse(url: string, headers: Record<string, string>): Promise<RecordedResponse> {
  const response = await fetch(url, { headers });
  const relevant = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.has(name));
  return { status: response.status, headers: Object.fromEntries(relevant), body: await response.text() };
}

/** A minimal counting object: one in-memory number, one object per client. */
const COUNTER_CLASS =
  "import { DurableObject } from 'cloudflare:workers'; export class Counter extends DurableObject { n = 0; count(limit, seconds, now) { return ++this.n; } }";
const OBJECT_CALL = "await env.COUNTERS.getByName(request.headers.get('CF-Connecting-IP') ?? '').count(30, 60, 1);";

interface BareOptions {
  host: string;
  port: number;
  /** Make one call to a counting object first: the lower bound for exact counting. */
  callsObject?: boolean;
}

/** Starts a Worker that returns the recorded response for every request. */
export async function startBareWorker(recorded: RecordedResponse, options: BareOptions): Promise<{ dispose(): Promise<void> }> {
  const { callsObject = false, ...socket } = options;
  const body = recorded.status === 304 ? 'null' : JSON.stringify(recorded.body);
  const init = JSON.stringify({ status: recorded.status, headers: recorded.headers });
  const script = `${callsObject ? COUNTER_CLASS : ''} const body = ${body}; const init = ${init};
    export default { async fetch(request, env) { ${callsObject ? OBJECT_CALL : ''} return new Response(body, init); } };`;
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: COMPATIBILITY_DATE,
      cf: false,
      host: '127.0.0.1',
      port: 0,
      logRequests: false,
      unsafeDirectSockets: [socket],
      ...(callsObject ? { durableObjects: { COUNTERS: { className: 'Counter', useSQLite: true } } } : {}),
    }),
  );
  await mf.ready;
  return { dispose: () => mf.dispose() };
}
