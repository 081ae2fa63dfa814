import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Fault, type FullResponse, misbehave } from './faults.ts';
import { attack } from './hostile.ts';
import type { RunningUpstream, UpstreamServer, UpstreamWiring } from './upstream-server.ts';

/** A request received by a mock; the path does not include the session. */
export interface UpstreamCall {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
}

export interface UpstreamResponse {
  status?: number;
  headers?: Record<string, string>;
  contentType?: string;
  /** Strings and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
}

/** Definition of an HTTP mock. Tests can replace parts of its state. */
export interface HttpUpstreamSpec<State extends object> {
  name: string;
  port: number;
  /** Creates the initial state; `now` in unix seconds. */
  initial(now: number): State;
  respond(call: UpstreamCall, state: State, now: number): UpstreamResponse;
  wiring(url: string): UpstreamWiring;
}

/** Changes by a test or developer: a fault for all or the next `times` requests, and parts of the state. */
export interface UpstreamOrder {
  fault?: Fault | null;
  times?: number;
  /** Seed of hostile responses, each different; null: none. */
  hostile?: string | null;
  state?: object;
}

interface Session {
  state: object;
  fault: Fault | null;
  /** Remaining requests with the fault. */
  times: number;
  hostile: string | null;
  calls: UpstreamCall[];
}

const HOST = '127.0.0.1';
const MAX_CALLS = 200;
/** `/~name/...` selects the state of a session; requests without a session share one state. */
const SESSION = /^\/~([\w-]+)(\/.*)?$/;

/**
 * Creates an HTTP mock. In addition to the service's paths it has `PUT /control` (an order), `GET /calls` (received requests) and
 * `DELETE /control` (reset).
 */
export function httpUpstream<State extends object>(spec: HttpUpstreamSpec<State>): UpstreamServer {
  return { name: spec.name, port: spec.port, start: (port) => start(spec, port) };
}

async function start<State extends object>(spec: HttpUpstreamSpec<State>, port: number): Promise<RunningUpstream> {
  const sessions = new Map<string, Session>();
  const fresh = (): Session => ({ state: spec.initial(nowSeconds()), fault: null, times: 0, hostile: null, calls: [] });
  // The service sends a POST once: it must not meet a connection that the server closes at that moment because it was idle.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [, name = '', rest = '/'] = SESSION.exec(request.url ?? '/') ?? [undefined, '', request.url ?? '/'];
    const session = sessions.get(name) ?? fresh();
    sessions.set(name, session);
    const call = await readCall(request, rest);
    if (call.path === '/control' && call.method === 'DELETE') {
      sessions.delete(name);
      response.writeHead(204).end();
    } else if (call.path === '/control' || call.path === '/calls') {
      control(session, call, response);
    } else {
      session.calls = [...session.calls, call].slice(-MAX_CALLS);
      respond(request, response, session, call, fullResponse(spec.respond(call, session.state as State, nowSeconds())));
    }
  });
  await listen(server, port);
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  const url = `http://${HOST}:${boundPort}`;
  return { name: spec.name, port: boundPort, url, ...spec.wiring(url), stop: () => close(server) };
}

function control(session: Session, call: UpstreamCall, response: ServerResponse): void {
  if (call.path === '/control' && call.method === 'PUT') {
    const order = JSON.parse(call.body || '{}') as UpstreamOrder;
    if (order.fault !== undefined) session.fault = order.fault;
    if (order.fault !== undefined) session.times = order.times ?? Number.POSITIVE_INFINITY;
    if (order.hostile !== undefined) session.hostile = order.hostile;
    if (order.hostile !== undefined) session.calls = [];
    session.state = { ...session.state, ...order.state };
  }
  const body = call.path === '/calls' ? session.calls : { fault: session.fault, state: session.state };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Sends the response. Faults apply to the final response, not to the service's redirects. Without a fault, a matching ETag returns 304.
 */
function respond(request: IncomingMessage, response: ServerResponse, session: Session, call: UpstreamCall, answer: FullResponse): void {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (session.fault !== null && session.times > 0 && !isRedirect) {
    session.times--;
    misbehave(session.fault, request, response, answer);
  } else if (session.hostile !== null && !isRedirect) {
    attack(`${session.hostile} ${session.calls.length}`, response, answer);
  } else if (answer.headers.ETag !== undefined && call.headers['if-none-match'] === answer.headers.ETag) {
    response.writeHead(304, { ETag: answer.headers.ETag }).end();
  } else {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

/** The response as bytes, with an ETag if it is a success. */
function fullResponse({ status = 200, headers = {}, contentType, body }: UpstreamResponse): FullResponse {
  const isText = typeof body === 'string';
  const isRaw = isText || body instanceof Uint8Array;
  const bytes = Buffer.from(body === undefined ? '' : isRaw ? (body as string) : JSON.stringify(body));
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  const type = contentType ?? (isText ? 'text/html; charset=utf-8' : 'application/json');
  return { status, headers: { 'Content-Type': type, ...(status === 200 ? { ETag: etag } : {}), ...headers }, body: bytes };
}

async function readCall(request: IncomingMessage, target: string): Promise<UpstreamCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(target, 'http://mock');
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
