import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misbehave } from '../faults.ts';
import { type Account, emptyAccount } from './account.ts';
import { DatabaseFiles } from './databases.ts';
import { ACCOUNT_ID, API_TOKEN, type PlatformResponse, respondAsPlatform, respondAsService, storeUpload } from './routes.ts';
import { createSelfSigned } from './self-signed.ts';

/**
 * How a request fails: status 500, status 429 with Retry-After, or a lost connection, before it has an effect; `cut`: the effect is done,
 * and the connection is lost in the middle of the response.
 */
export const PLATFORM_FAULTS = ['error-500', 'busy-429', 'reset', 'cut'] as const;
export type PlatformFault = (typeof PLATFORM_FAULTS)[number];

export interface PlatformFailure {
  /** Number of the request that fails, from 0, counted from the order on. */
  at: number;
  fault: PlatformFault;
  /** All later requests fail as well. */
  lasts?: boolean;
}

export interface PlatformOptions {
  /** Where the state is kept between runs; without it in a temporary folder, until `stop`. */
  folder?: string;
  /** Ports of the API and of the service over https; 0: free ones. */
  port?: number;
  securePort?: number;
}

const HOST = '127.0.0.1';
const BASE_PATH = '/client/v4';
const SAVED = 'saved-';

/** A running stand-in of the platform: its API, and the address of the deployed service. */
export interface Platform {
  /** Base of the API. */
  api: string;
  /** Address of the service over http, and over https with a certificate of its own. */
  origin: string;
  secureOrigin: string;
  /** File with the certificate. */
  certificate: string;
  /** Variables for commands: the API, the token, the account, the certificate. */
  env: Readonly<Record<string, string>>;
  /** The state; tests change it directly. */
  account: Account;
  /** Requests since the last order to fail, as `POST /path`, and `service /path` with the header that selects a version. */
  requests: string[];
  /** Makes a request fail; null: none. Counts requests from 0 again. */
  fail(failure: PlatformFailure | null): void;
  /** Remembers the state, also the rows of the databases. */
  save(): void;
  /** Returns to the remembered state. */
  restore(): void;
  stop(): Promise<void>;
}

/** Starts the stand-in. `PUT /control` with a PlatformFailure makes a request fail, `DELETE /control` none, `GET /control` lists the requests. */
export async function startPlatform({ folder, port = 0, securePort = 0 }: PlatformOptions = {}): Promise<Platform> {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'platform-'));
  mkdirSync(home, { recursive: true });
  const stateFile = join(home, 'account.json');
  const files = new DatabaseFiles(home);
  const platform = {
    account: existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Account) : emptyAccount(),
    requests: [] as string[],
  };
  let failure: PlatformFailure | null = null;
  let saved = '';

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request);
    const url = new URL(request.url ?? '/', 'http://platform');
    if (url.pathname === '/control') return control(request.method ?? '', body, response);
    const index = platform.requests.length;
    const method = request.method ?? '';
    platform.requests.push(shown(method, url.pathname, overrideOf(request)));
    const fails = failure !== null && (failure.lasts ? index >= failure.at : index === failure.at);
    const fault = fails ? failure?.fault : undefined;
    if (fault !== undefined && fault !== 'cut') return misbehave(fault, request, response, full({ status: 500, body: {} }));
    const reply = respond(request, url, body);
    if (method !== 'GET') writeFileSync(stateFile, JSON.stringify(platform.account));
    if (fault === 'cut') return misbehave('truncated', request, response, full(reply));
    const { status, headers, body: bytes } = full(reply);
    response.writeHead(status, headers).end(bytes);
  };
  const respond = (request: IncomingMessage, url: URL, body: string): FullReply => {
    const { account } = platform;
    if (url.pathname.startsWith('/upload/')) return { status: 200, body: {}, headers: { ETag: storeUpload(account, body) } };
    if (!url.pathname.startsWith(BASE_PATH)) return respondAsService(account, url.pathname, overrideOf(request));
    const { authorization } = request.headers;
    const path = url.pathname.slice(BASE_PATH.length);
    const call = { method: request.method ?? '', path, query: url.searchParams, body, authorization };
    return respondAsPlatform({ account, files, call, uploadUrl: `${origin}/upload` });
  };
  const control = (method: string, body: string, response: ServerResponse) => {
    if (method === 'PUT') fail(JSON.parse(body) as PlatformFailure);
    if (method === 'DELETE') fail(null);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ failure, requests: platform.requests }));
  };
  const fail = (order: PlatformFailure | null) => {
    failure = order;
    platform.requests = [];
  };

  const { key, certificate } = createSelfSigned(new Date());
  const certificateFile = join(home, 'certificate.pem');
  writeFileSync(certificateFile, certificate);
  const plain = createServer({ keepAliveTimeout: 0 }, handle);
  const secure = createSecureServer({ key, cert: certificate }, handle);
  const origin = `http://${HOST}:${await listen(plain, port)}`;
  const secureOrigin = `https://localhost:${await listen(secure, securePort)}`;
  const api = origin + BASE_PATH;
  return Object.assign(platform, {
    api,
    origin,
    secureOrigin,
    certificate: certificateFile,
    env: {
      CLOUDFLARE_API_BASE_URL: api,
      CLOUDFLARE_API_TOKEN: API_TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
    fail,
    save() {
      saved = JSON.stringify(platform.account);
      files.copy(
        platform.account.databases.map(({ uuid }) => uuid),
        (id) => SAVED + id,
      );
    },
    restore() {
      platform.account = JSON.parse(saved) as Account;
      for (const { uuid } of platform.account.databases) files.restore(uuid, SAVED + uuid);
      fail(null);
    },
    async stop() {
      await Promise.all([plain, secure].map(close));
      files.closeAll();
      if (folder === undefined) rmSync(home, { recursive: true });
    },
  });
}

interface FullReply extends PlatformResponse {
  headers?: Record<string, string>;
}

const full = ({ status, body, headers }: FullReply) => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

const overrideOf = ({ headers }: IncomingMessage) => headers['cloudflare-workers-version-overrides'] as string | undefined;

function shown(method: string, path: string, override: string | undefined): string {
  if (path.startsWith(BASE_PATH)) return `${method} ${path.slice(BASE_PATH.length)}`;
  return path.startsWith('/upload/') ? `${method} /upload` : `service ${path} ${override ?? ''}`.trim();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server & { closeAllConnections(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
