import { ONLINE_MIN_BYTES } from './game-status.data.ts';
import type { GameSockets } from './probes.ts';
import { type DeepProbe, deepProbeResult, type GameCheck } from './verdict.domain.ts';

const TIMED_OUT = Symbol('timed out');

export function createGameSockets(): GameSockets {
  return {
    async probe({ host, port, opener, timeoutSeconds, holdSeconds }) {
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

    async canConnect(host, port, timeoutSeconds) {
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
    return reasonOf(error);
  }
  // The reader detects the end; the catch prevents an unhandled rejection.
  socket.closed.catch(() => {});
  try {
    if ((await withTimeout(socket.opened, timeoutSeconds * 1000)) !== TIMED_OUT) return socket;
    close(socket);
    return 'timeout';
  } catch (error) {
    close(socket);
    return reasonOf(error);
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

function reasonOf(error: unknown): NonNullable<GameCheck['error']> {
  const message = error instanceof Error ? error.message : String(error);
  // An invalid host name. The runtime reports an unresolvable name like a refused connection; see `NameLookup`.
  if (/unsupported characters/i.test(message)) return 'dns';
  return /timed? ?out/i.test(message) ? 'timeout' : 'refused';
}
