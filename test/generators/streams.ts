import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import polyfill from 'event-source-polyfill';
import { EventSource } from 'eventsource';
import { SERVICE } from './places.ts';

const TIMEOUT_MS = 60_000;
const PATH = '/v1/events/stream?types=challenge';
const NAMES = ['stream-1', 'stream-2', 'stream-3'] as const;

type Message = { data: string; lastEventId: string };
interface Stream {
  addEventListener(type: string, listener: (message: Message) => void): void;
  close(): void;
}

/** Clients of event streams, by package name. */
const CLIENTS: Readonly<Record<string, (url: string) => Stream>> = {
  eventsource: (url) => new EventSource(url) as unknown as Stream,
  'event-source-polyfill': (url) => new polyfill.EventSourcePolyfill(url) as unknown as Stream,
};

/**
 * Reads the stream over a connection that breaks, reports an event meanwhile, and expects every event once and in order. The snapshot that
 * follows the missed events repeats the newest one under its id.
 */
export async function checkStream(client: keyof typeof CLIENTS): Promise<string> {
  const proxy = await startProxy();
  const received: string[] = [];
  const ids: number[] = [];
  const stream = CLIENTS[client]?.(proxy.url + PATH);
  assert.ok(stream);
  try {
    stream.addEventListener('challenge', ({ data, lastEventId }) => {
      const { name } = (JSON.parse(data) as { data: { name: string } }).data;
      if (received.at(-1) === name && ids.at(-1) === Number(lastEventId)) return;
      received.push(name);
      ids.push(Number(lastEventId));
    });
    await until(() => received.length > 0, received);
    const [first, missed, last] = NAMES.map((name) => `${client}-${name}`) as [string, string, string];
    await report(first);
    await until(() => received.includes(first), received);
    proxy.cut();
    await report(missed);
    await until(() => received.includes(missed), received);
    await report(last);
    await until(() => received.includes(last), received);
    const own = received.filter((name) => name.startsWith(client));
    assert.deepEqual(own, [first, missed, last]);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((one, other) => one - other),
      'the ids do not rise',
    );
    assert.ok(proxy.resumed().length > 0, 'the client did not say where to resume');
    return `resumed with ${proxy.resumed()[0]}; ${own.length} events, each once`;
  } finally {
    stream.close();
    proxy.close();
  }
}

async function report(name: string): Promise<void> {
  const headers = { Authorization: `Bearer ${SERVICE.superuserToken}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${SERVICE.baseUrl}/v1/rotations/challenge/insert`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  });
  assert.ok(response.ok, `challenge/insert: ${response.status} ${await response.text()}`);
}

async function until(isDone: () => boolean, state: unknown): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; !isDone(); ) {
    assert.ok(Date.now() < deadline, `timed out; received ${JSON.stringify(state)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A proxy whose open connections can be cut. Records where clients resume. */
async function startProxy() {
  const resumed: string[] = [];
  const open = new Set<() => void>();
  const record = (url: string, headers: IncomingHttpHeaders) => {
    const inQuery = new URL(url, SERVICE.baseUrl).searchParams.has('lastEventId');
    if (inQuery) resumed.push('lastEventId');
    else if (headers['last-event-id'] !== undefined) resumed.push('Last-Event-ID');
  };
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    record(url, headers);
    const forwarded = request(
      SERVICE.baseUrl + url,
      { method, headers: { ...headers, host: new URL(SERVICE.baseUrl).host } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        response.on('error', () => outgoing.destroy());
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    const cut = () => outgoing.destroy();
    open.add(cut);
    outgoing.on('close', () => open.delete(cut));
    forwarded.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      for (const one of open) one();
    },
    resumed: () => resumed,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
