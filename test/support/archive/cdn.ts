import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Build } from './build.ts';

/** A patch network on a loopback port, in the real one's shape. */
export interface RunningCdn {
  /** Origin, without a trailing slash: the base address. */
  origin: string;
  /** Path after the base. */
  prefix: string;
  /** Puts a build in the place of a branch's last one; null: the branch is not published. */
  publish(pointerFile: string, build: Build | null): void;
  /** Paths asked for since the last time. */
  takeCalls(): string[];
  /** Answers what it says instead of the file, when it says something. */
  onFile(misbehave: ((path: string, response: ServerResponse) => boolean) | null): void;
  stop(): Promise<void>;
}

export const CDN_PREFIX = '/kiwi-live-client-patch/';
const HOST = '127.0.0.1';

/** Serves only exactly the addresses of the real network, the doubled slash included. */
export async function startCdn(port = 0): Promise<RunningCdn> {
  const published = new Map<string, Build>();
  let calls: string[] = [];
  let misbehave: ((path: string, response: ServerResponse) => boolean) | null = null;
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    calls.push(target);
    const asked = requestedBy(target);
    const found = asked === null ? null : locate(published, asked);
    if (found?.file !== undefined && misbehave?.(found.file, response)) return;
    if (found) send(request, response, found.bytes);
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
  });

  await listen(server, port);
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  return {
    origin: `http://${HOST}:${taken}`,
    prefix: CDN_PREFIX,
    publish(pointerFile, build) {
      if (build) published.set(pointerFile, build);
      else published.delete(pointerFile);
    },
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
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

/** The address below base and prefix; null where the doubled slash is missing. */
function requestedBy(target: string): string | null {
  const [path = ''] = target.split('?');
  return path.startsWith(`${CDN_PREFIX}/`) ? decodeURIComponent(path.slice(CDN_PREFIX.length + 1)) : null;
}

/** Target of a URL; `file` is the path in the build. */
function locate(published: ReadonlyMap<string, Build>, asked: string): { bytes: Uint8Array; file?: string } | null {
  if (asked.startsWith('public/')) {
    const build = published.get(asked.slice('public/'.length));
    return build ? { bytes: Buffer.from(build.pointer) } : null;
  }
  for (const { contentPath, versionTag, manifest, files } of published.values()) {
    const base = `content/${contentPath}/`;
    if (asked === `${base}${versionTag}.manifest`) return { bytes: Buffer.from(manifest) };
    const file = asked.startsWith(`${base}recovery/`) ? asked.slice(`${base}recovery/`.length) : '';
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
