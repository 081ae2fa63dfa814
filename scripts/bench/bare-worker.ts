import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** An answer to repeat: the yardstick has the same status, headers and bytes and does nothing else. */
export interface RecordedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers the runtime writes itself. */
const TRANSPORT_HEADERS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding']);

/** Asks once, with a body as a POST, and records the answer. */
export async function recordAnswer(url: string, headers: Record<string, string>, body?: string): Promise<RecordedAnswer> {
  const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body });
  const kept = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.has(name));
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
}

/** A Worker that answers every request with the recorded answer. */
export async function startBareWorker(
  answer: RecordedAnswer,
  socket: { host: string; port: number },
): Promise<{ dispose(): Promise<void> }> {
  const body = answer.status === 304 ? 'null' : JSON.stringify(answer.body);
  const init = JSON.stringify({ status: answer.status, headers: answer.headers });
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: `const body = ${body}; const init = ${init}; export default { fetch() { return new Response(body, init); } };`,
      compatibilityDate: '2026-10-23',
      cf: false,
      host: '127.0.0.1',
      port: 0,
      logRequests: false,
      unsafeDirectSockets: [socket],
    }),
  );
  await mf.ready;
  return { dispose: () => mf.dispose() };
}
