import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, planOf } from './proxy-faults.ts';

const CONTROL = '/__proxy';
const STREAM = '/v1/events/stream';

/** Faults of the next requests, and the counts. */
interface State {
  /** Number of requests that get the response `status`, with `retryAfter` and `details` if set. */
  fail: number;
  status: number;
  retryAfter: number | null;
  details: unknown;
  /** Number of requests to disconnect without a response. */
  drop: number;
  /** Whether every request is disconnected. */
  down: boolean;
  /** Seed of faults and delays for every request; null for none. */
  seed: number | null;
  counts: Counts;
}

const NO_COUNTS = { received: 0, forwarded: 0, conditional: 0, notModified: 0, refused: 0, inProgress: 0, faults: 0 };
type Counts = typeof NO_COUNTS;

export interface FlakyProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a loopback proxy to the service that fails on demand. `POST /__proxy` sets the fields of `State`, or `cut` (disconnects every open
 * response) or `prune` (calls `prune`, which deletes the logged events), and returns and resets the counts.
 */
export async function startFlakyProxy(target: string, prune: () => Promise<void>): Promise<FlakyProxy> {
  const state: State = {
    fail: 0,
    status: 503,
    retryAfter: null,
    details: null,
    drop: 0,
    down: false,
    seed: null,
    counts: { ...NO_COUNTS },
  };
  const open = new Set<ServerResponse>();
  /** Attempts of each request since the seed was set. */
  const attempts = new Map<string, number>();

  async function control(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const commands = JSON.parse((await bytesOf(incoming)).toString()) as Partial<State> & { cut?: boolean; prune?: boolean };
    const { cut = false, prune: isPruned = false, ...changes } = commands;
    if (cut) for (const stream of open) stream.destroy();
    if (isPruned) await prune();
    if (changes.seed !== undefined) attempts.clear();
    response.end(JSON.stringify(state.counts));
    Object.assign(state, changes, { counts: { ...NO_COUNTS } });
  }

  /** Sends the request to the service. */
  function ask({ method, headers, url = '/' }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const forwarded = request(target + url, { method, headers: { ...headers, host: new URL(target).host } }, resolve);
      forwarded.on('error', reject);
      forwarded.end(body);
    });
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse, body: Buffer, fault: Fault): Promise<void> {
    state.counts.forwarded += 1;
    if (incoming.headers['if-none-match']) state.counts.conditional += 1;
    const responses = await Promise.all(Array.from({ length: fault.kind === 'twin' ? 2 : 1 }, () => ask(incoming, body)));
    const upstream = responses.find(isInProgress) ?? (responses[0] as IncomingMessage);
    for (const other of responses) if (other !== upstream) other.resume();
    if (upstream.statusCode === 304) state.counts.notModified += 1;
    if (upstream.statusCode === 429) state.counts.refused += 1;
    if (isInProgress(upstream)) state.counts.inProgress += 1;
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      upstream.destroy();
    });
    upstream.on('error', () => response.destroy());
    if (response.destroyed) return void upstream.destroy();
    if (fault.kind === 'lose') return void upstream.resume().on('end', () => response.destroy());
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    response.flushHeaders();
    let left = fault.kind === 'cut' ? fault.bytes : Number.POSITIVE_INFINITY;
    upstream.on('data', (chunk: Buffer) => {
      // At least the last byte is missing, also in a short body.
      const part = chunk.subarray(0, Math.min(left, fault.kind === 'cut' ? chunk.length - 1 : chunk.length));
      left -= chunk.length;
      response.write(part, () => {
        if (part.length < chunk.length) response.destroy();
      });
    });
    upstream.on('end', () => response.end());
  }

  /** Responds in place of the service. */
  function fail(response: ServerResponse, status: number, retryAfter: string | null): void {
    response.writeHead(status, { 'Content-Type': 'application/json', ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }) });
    const { details } = state;
    response.end(JSON.stringify({ error: { code: 'service_unavailable', message: 'the proxy fails on purpose', details } }));
  }

  /** The fault of this attempt by the seed, after its delay. */
  async function seededFault({ method = '', url = '', headers }: IncomingMessage, seed: number): Promise<Fault> {
    const key = headers['idempotency-key'];
    const name = [method, url, key].join(' ');
    const attempt = attempts.get(name) ?? 0;
    attempts.set(name, attempt + 1);
    const { fault, delayMs } = planOf(seed, name, attempt, url.startsWith(STREAM) ? 'stream' : key === undefined ? 'read' : 'write');
    if (fault.kind !== 'none') state.counts.faults += 1;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return fault;
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.url === CONTROL) return control(incoming, response);
    state.counts.received += 1;
    if (state.down || state.drop > 0) {
      state.drop = Math.max(0, state.drop - 1);
      return void incoming.socket.destroy();
    }
    if (state.fail > 0) {
      state.fail -= 1;
      return fail(response, state.status, state.retryAfter === null ? null : String(state.retryAfter));
    }
    const body = await bytesOf(incoming);
    const fault: Fault = state.seed === null ? { kind: 'none' } : await seededFault(incoming, state.seed);
    if (fault.kind === 'refuse') return void incoming.socket.destroy();
    if (fault.kind !== 'status') return forward(incoming, response, body, fault);
    const date = new Date(Date.now() + 1000).toUTCString();
    fail(response, fault.status, fault.retryAfter === 'seconds' ? '1' : fault.retryAfter === 'date' ? date : null);
  }

  const server = createServer((incoming, response) => void respond(incoming, response).catch(() => response.destroy()));
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

/** Whether the service is still running a request with the same idempotency key. */
const isInProgress = ({ statusCode, headers }: IncomingMessage) => statusCode === 409 && headers['retry-after'] !== undefined;

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
