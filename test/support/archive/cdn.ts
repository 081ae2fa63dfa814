import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Build } from './build.ts';

/** A mock of the patch network on a loopback port. */
export interface RunningCdn {
  /** Origin without a trailing slash. */
  origin: string;
  /** Path after the origin. */
  prefix: string;
  /** Replaces the published build of a branch; null: the branch is not published. */
  publish(pointerFile: string, build: Build | null): void;
  /** Returns the requested paths since the last call. */
  takeCalls(): string[];
  /** Sets a handler for every request. It returns true if it has sent the response, or ended the connection. */
  onRequest(misbehave: ((path: string, response: ServerResponse, bytes: Uint8Array) => boolean) | null): void;
  /** Sets a handler for file requests. It returns true if it has sent the response. */
  onFile(misbehave: ((path: string, response: ServerResponse) => boolean) | null): void;
  stop(): Promise<void>;
}

export const CDN_PREFIX = '/kiwi-live-client-patch/';
const HOST = '127.0.0.1';

/** Starts the mock. It serves exactly the paths of the real network, including the double slash. */
export async function startCdn(port = 0): Promise<RunningCdn> {
  const published = new Map<string, Build>();
  let calls: string[] = [];
  let misbehave: ((path: string, response: ServerResponse) => boolean) | null = null;
  let misbehaveAlways: ((path: string, response: ServerResponse, bytes: Uint8Array) => boolean) | null = null;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const target = request.url ?? '/';
    calls.push(target);
    const requested = requestedBy(target);
    const found = requested === null ? null : locate(published, requested);
    if (found && misbehaveAlways?.(target, response, found.bytes)) return;
    if (found?.file !== undefined && misbehave?.(found.file, response)) return;
    if (found) send(request, response, found.bytes);
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
  });

  await listen(server, port);
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return {
    origin: `http://${HOST}:${boundPort}`,
    prefix: CDN_PREFIX,
    publish(pointerFile, build) {
      if (build) published.set(pointerFile, build);
      else published.delete(pointerFile);
    },
    takeCalls() {
      const received = calls;
      calls = [];
      return received;
    },
    onRequest(how) {
      misbehaveAlways = how;
    },
    onFile(how) {
      misbehave = how;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The path below origin and prefix; null if the double slash is missing. */
function requestedBy(target: string): string | null {
  const [path = ''] = target.split('?');
  return path.startsWith(`${CDN_PREFIX}/`) ? decodeURIComponent(path.slice(CDN_PREFIX.length + 1)) : null;
}

/** Content of a path; `file` is the path in the build. */
function locate(published: ReadonlyMap<string, Build>, requested: string): { bytes: Uint8Array; file?: string } | null {
  if (requested.startsWith('public/')) {
    const build = published.get(requested.slice('public/'.length));
    return build ? { bytes: Buffer.from(build.pointer) } : null;
  }
  for (const { contentPath, versionTag, manifest, files } of published.values()) {
    const base = `content/${contentPath}/`;
    if (requested === `${base}${versionTag}.manifest`) return { bytes: Buffer.from(manifest) };
    const file = requested.startsWith(`${base}recovery/`) ? requested.slice(`${base}recovery/`.length) : '';
    const bytes = files.get(file);
    if (bytes) return { bytes, file };
  }
  return null;
}

function send(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
}
