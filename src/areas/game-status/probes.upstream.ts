import { lookUpAddresses } from '../../platform/upstream/dns-lookup.ts';
import type { UpstreamClient, UpstreamResponse } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { LOOKUP_TIMEOUT_SECONDS, ONLINE_MIN_BYTES } from './game-status.data.ts';
import { type AuthCheck, type DeepProbe, deepProbeResult, type GameCheck, isOwnReply as isGenuineResponse } from './status.domain.ts';

/** One check of the authentication gateway. Does not throw: errors are results. */
export type AuthProbe = (url: string, timeoutSeconds: number, signal: AbortSignal) => Promise<AuthCheck>;

export interface SocketTarget {
  host: string;
  port: number;
  /** Sent after connecting; null: the connection alone decides. */
  opener: Uint8Array | null;
  timeoutSeconds: number;
  holdSeconds: number;
}

/** Whether a name has addresses; null when the resolver fails. */
export type NameLookup = (resolverUrl: string, host: string, signal: AbortSignal) => Promise<boolean | null>;

/** TCP probes. Do not throw: errors are results. */
export type GameSockets = ReturnType<typeof createGameSockets>;

const AUTH_SOURCE = 'game-status-auth';
const MAX_BYTES = 256 * 1024;
/** Invalid credentials: a genuine rejection proves that the service works. */
const INVALID_LOGIN = 'username=status-probe&password=status-probe';

/**
 * Requests the gateway. When the response is not genuine, tries to log in with invalid credentials. Does not follow redirects, and ignores
 * earlier failures.
 */
export function createAuthProbe(upstream: UpstreamClient): AuthProbe {
  async function request(method: 'GET' | 'POST', url: string, timeoutSeconds: number, signal: AbortSignal): Promise<AuthCheck> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const response = await upstream.fetch({
        source: AUTH_SOURCE,
        url,
        method,
        ...(method === 'POST' ? { body: INVALID_LOGIN, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } : {}),
        signal,
        timeoutSeconds,
        maxBytes: MAX_BYTES,
        attempts: 1,
        accepts: () => true,
        redirect: 'manual',
        circuit: false,
      });
      const online = response.status < 500 && isGenuineResponse(response.headers.keys(), decodeBody(response));
      return { online, httpStatus: response.status, latencyMs: elapsed(), error: online ? null : `HTTP ${response.status}` };
    } catch (error) {
      return { online: false, httpStatus: null, latencyMs: elapsed(), error: fetchErrorOf(error) };
    }
  }

  return async (url, timeoutSeconds, signal) => {
    const response = await request('GET', url, timeoutSeconds, signal);
    const isInconclusive = !response.online && response.httpStatus !== null && response.httpStatus < 500;
    return isInconclusive ? request('POST', url, timeoutSeconds, signal) : response;
  };
}

/** Decodes the body, replacing invalid UTF-8. */
function decodeBody({ bytes }: UpstreamResponse): string {
  return new TextDecoder().decode(bytes);
}

function fetchErrorOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'bad_address';
  return error.kind === 'network' ? 'unreachable' : error.kind;
}

const RESOLVER_SOURCE = 'name-resolver';

/** Looks up names with DNS over HTTPS, because the runtime reports an unresolvable name like a refused connection. */
export function createNameLookup(client: UpstreamClient): NameLookup {
  // Null when the resolver fails: the check then keeps the error of the connection.
  return async (resolverUrl, host, signal) => {
    const lookup = { client, source: RESOLVER_SOURCE, resolverUrl, timeoutSeconds: LOOKUP_TIMEOUT_SECONDS, signal };
    try {
      return (await lookUpAddresses(lookup, host, 'A')).length > 0 || (await lookUpAddresses(lookup, host, 'AAAA')).length > 0;
    } catch {
      return null;
    }
  };
}

const TIMED_OUT = Symbol('timed out');

export function createGameSockets() {
  return {
    /** One attempt on a game socket. */
    async probe({ host, port, opener, timeoutSeconds, holdSeconds }: SocketTarget): Promise<GameCheck> {
      const probe = opener ? 'deep' : 'connect';
      if (host === '' || port <= 0) return { online: false, host, port, latencyMs: null, error: 'not_configured', probe };
      const startedAt = performance.now();
      const opened = await open(host, port, timeoutSeconds);
      const latencyMs = Math.round(performance.now() - startedAt);
      if (typeof opened === 'string') return { online: false, host, port, latencyMs, error: opened, probe };
      const remaining = timeoutSeconds * 1000 - (performance.now() - startedAt);
      // Null is inconclusive: the successful connection decides.
      const isOnline = opener ? (deepProbeResult(await observe(opened, opener, holdSeconds * 1000, remaining)) ?? true) : true;
      close(opened);
      return { online: isOnline, host, port, latencyMs, error: isOnline ? null : 'dropped', probe };
    },

    /** Whether a TCP connection succeeds. */
    async canConnect(host: string, port: number, timeoutSeconds: number): Promise<boolean> {
      const opened = await open(host, port, timeoutSeconds);
      if (typeof opened === 'string') return false;
      close(opened);
      return true;
    },
  };
}

async function open(hostname: string, port: number, timeoutSeconds: number): Promise<Socket | NonNullable<GameCheck['error']>> {
  let socket: Socket;
  try {
    // Imported on demand, because scripts that only generate documents run without this module.
    const { connect } = await import('cloudflare:sockets');
    socket = connect({ hostname, port }, { secureTransport: 'off', allowHalfOpen: false });
  } catch (error) {
    return connectionErrorOf(error);
  }
  // The reader detects the end; the catch prevents an unhandled rejection.
  socket.closed.catch(() => {});
  try {
    if ((await withTimeout(socket.opened, timeoutSeconds * 1000)) !== TIMED_OUT) return socket;
    close(socket);
    return 'timeout';
  } catch (error) {
    close(socket);
    return connectionErrorOf(error);
  }
}

/** Sends the opener and reads until the server is silent for `holdMs`, closes the connection, or has sent `ONLINE_MIN_BYTES`. */
async function observe(socket: Socket, opener: Uint8Array, holdMs: number, totalMs: number): Promise<DeepProbe> {
  const observed: DeepProbe = { received: 0, closed: false, reset: false, held: false };
  const endsAt = performance.now() + Math.max(totalMs, holdMs);
  try {
    const writer = socket.writable.getWriter();
    const reader = socket.readable.getReader();
    for (const { closed } of [writer, reader]) closed.catch(() => {});
    await writer.write(opener);
    while (observed.received < ONLINE_MIN_BYTES) {
      const waitMs = Math.min(holdMs, endsAt - performance.now());
      const read = waitMs > 0 ? await withTimeout(reader.read(), waitMs) : TIMED_OUT;
      if (read === TIMED_OUT) return { ...observed, held: true };
      if (read.done) return { ...observed, closed: true };
      observed.received += read.value.byteLength;
    }
    return observed;
  } catch {
    return { ...observed, reset: true };
  }
}

/** Result of a promise, or a timeout. */
async function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | typeof TIMED_OUT> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(() => resolve(TIMED_OUT), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}

function close(socket: Socket): void {
  socket.close().catch(() => {});
}

function connectionErrorOf(error: unknown): NonNullable<GameCheck['error']> {
  const message = error instanceof Error ? error.message : String(error);
  // An invalid host name. The runtime reports an unresolvable name like a refused connection; see `NameLookup`.
  if (/unsupported characters/i.test(message)) return 'dns';
  return /timed? ?out/i.test(message) ? 'timeout' : 'refused';
}
