import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CONTROL = '/__proxy';

/** Faults of coming requests, and the counts. */
interface State {
  /** Requests that get the response `status` and, where it is given, `retryAfter`. */
  fail: number;
  status: number;
  retryAfter: number | null;
  /** Requests to break off without a response. */
  drop: number;
  /** Every request is broken off. */
  down: boolean;
  counts: { received: number; forwarded: number; conditional: number; notModified: number; refused: number };
}

export interface FlakyProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * A server on loopback that forwards requests to the service and fails on demand: `POST /__proxy` with `fail`, `status`,
 * `retryAfter`, `drop`, `down`, or `cut` (breaks off every open response); it returns the counts and resets them.
 */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const noCounts = () => ({ received: 0, forwarded: 0, conditional: 0, notModified: 0, refused: 0 });
  const state: State = { fail: 0, status: 503, retryAfter: null, drop: 0, down: false, counts: noCounts() };
  const open = new Set<ServerResponse>();

  async function control(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cut = false, ...changes } = JSON.parse(await textOf(asked)) as Partial<State> & { cut?: boolean };
    if (cut) for (const stream of open) stream.destroy();
    response.end(JSON.stringify(state.counts));
    Object.assign(state, changes, { counts: noCounts() });
  }

  function forward(asked: IncomingMessage, response: ServerResponse): void {
    state.counts.forwarded += 1;
    if (asked.headers['if-none-match']) state.counts.conditional += 1;
    const { method, headers, url = '/' } = asked;
    const forwarded = request(target + url, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
      if (answer.statusCode === 304) state.counts.notModified += 1;
      if (answer.statusCode === 429) state.counts.refused += 1;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => {
      open.delete(response);
      forwarded.destroy();
    });
    open.add(response);
    asked.pipe(forwarded);
  }

  const server = createServer((asked, response) => {
    if (asked.url === CONTROL) return void control(asked, response);
    state.counts.received += 1;
    if (state.down || state.drop > 0) {
      state.drop = Math.max(0, state.drop - 1);
      return void asked.socket.destroy();
    }
    if (state.fail === 0) return forward(asked, response);
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

async function textOf(asked: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of asked) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
