import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CONTROL = '/__proxy';

/** Faults of the next requests, and the counts. */
interface State {
  /** Number of requests that get the response `status`, with `retryAfter` if set. */
  fail: number;
  status: number;
  retryAfter: number | null;
  /** Number of requests to disconnect without a response. */
  drop: number;
  /** Whether every request is disconnected. */
  down: boolean;
  counts: { received: number; forwarded: number; conditional: number; notModified: number; refused: number };
}

export interface FlakyProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a loopback proxy to the service that fails on demand. `POST /__proxy` sets `fail`, `status`, `retryAfter`, `drop`, `down`, or
 * `cut` (disconnects every open response), and returns and resets the counts.
 */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const noCounts = () => ({ received: 0, forwarded: 0, conditional: 0, notModified: 0, refused: 0 });
  const state: State = { fail: 0, status: 503, retryAfter: null, drop: 0, down: false, counts: noCounts() };
  const open = new Set<ServerResponse>();

  async function control(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cut = false, ...changes } = JSON.parse(await textOf(incoming)) as Partial<State> & { cut?: boolean };
    if (cut) for (const stream of open) stream.destroy();
    response.end(JSON.stringify(state.counts));
    Object.assign(state, changes, { counts: noCounts() });
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    state.counts.forwarded += 1;
    if (incoming.headers['if-none-match']) state.counts.conditional += 1;
    const { method, headers, url = '/' } = incoming;
    const forwarded = request(target + url, { method, headers: { ...headers, host: new URL(target).host } }, (upstream) => {
      if (upstream.statusCode === 304) state.counts.notModified += 1;
      if (upstream.statusCode === 429) state.counts.refused += 1;
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      response.flushHeaders();
      upstream.pipe(response);
      upstream.on('error', () => response.destroy());
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => {
      open.delete(response);
      forwarded.destroy();
    });
    open.add(response);
    incoming.pipe(forwarded);
  }

  const server = createServer((incoming, response) => {
    if (incoming.url === CONTROL) return void control(incoming, response);
    state.counts.received += 1;
    if (state.down || state.drop > 0) {
      state.drop = Math.max(0, state.drop - 1);
      return void incoming.socket.destroy();
    }
    if (state.fail === 0) return forward(incoming, response);
    state.fail -= 1;
    const waiting = state.retryAfter === null ? {} : { 'Retry-After': String(state.retryAfter) };
    response.writeHead(state.status, { 'Content-Type': 'application/json', ...waiting });
    response.end(JSON.stringify({ error: { code: 'service_unavailable', message: 'the proxy fails on purpose' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
