import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { messageFaults } from './chat-message.ts';
import type { RunningUpstream, UpstreamServer } from './upstream-server.ts';

/** A received file. */
export interface PostedFile {
  field: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
}

/** A received message, accepted or not. */
export interface PostedMessage {
  path: string;
  contentLength: number | null;
  userAgent: string;
  message: unknown;
  files: PostedFile[];
}

/**
 * Responses of the webhook: statuses of the next posts in order, then 204, or 400 for an invalid message. `hang`: no response;
 * `reset`: connection reset; `flood`: 200 with an oversized body.
 */
export interface WebhookState {
  answers: (number | 'hang' | 'reset' | 'flood')[];
  /** `Retry-After` of 429 responses, in seconds. */
  retryAfter: number | string;
}

interface Session {
  state: WebhookState;
  posted: PostedMessage[];
}

const HOST = '127.0.0.1';
const FLOOD_BYTES = 4 * 1024 * 1024;
const SESSION = /^\/~([\w-]+)(\/.*)?$/;

/** Mock of the chat service's webhook. `PUT /control {"state": {...}}` sets its responses, `GET /calls` lists received messages. */
export const chatWebhookUpstream: UpstreamServer = { name: 'chat-webhook', port: 9825, start };

async function start(port: number): Promise<RunningUpstream> {
  const sessions = new Map<string, Session>();
  // A POST is sent once: see http-upstream.ts.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [, name = '', path = '/'] = SESSION.exec(request.url ?? '/') ?? [undefined, '', request.url ?? '/'];
    const session = sessions.get(name) ?? { state: { answers: [], retryAfter: 1 }, posted: [] };
    sessions.set(name, session);
    await answer(request, response, path, session).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const boundPort = (server.address() as AddressInfo).port;
  const url = `http://${HOST}:${boundPort}`;
  return {
    name: 'chat-webhook',
    port: boundPort,
    url,
    vars: { WEBHOOK_POST_BASE: url },
    settings: { 'feedback.chat_webhook': `${url}/api/webhooks/1/token` },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, path: string, session: Session): Promise<void> {
  if (path === '/control' || path === '/calls') {
    const text = (await readAll(request)).toString();
    if (request.method === 'PUT') session.state = { ...session.state, ...(JSON.parse(text) as { state?: Partial<WebhookState> }).state };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(path === '/calls' ? session.posted : session.state));
    return;
  }
  const posted = await readMessage(request, path);
  session.posted.push(posted);
  const faults = messageFaults(
    posted.message,
    posted.files.map(({ filename }) => filename),
  );
  const next = session.state.answers.shift() ?? (faults.length > 0 ? 400 : 204);
  if (next === 'hang') return;
  if (next === 'reset') request.socket.resetAndDestroy();
  else if (next === 'flood') response.writeHead(200).end(Buffer.alloc(FLOOD_BYTES, 'x'));
  else reply(response, next, session.state, faults);
}

/** Sends a response with the body and headers of the chat service. */
function reply(response: ServerResponse, status: number, { retryAfter }: WebhookState, faults: readonly string[]): void {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (status === 429) headers['Retry-After'] = String(retryAfter);
  if (status >= 300 && status < 400) headers.Location = '/redirected';
  const message = status === 404 ? 'Unknown Webhook' : ['Invalid message', ...faults].join(': ');
  response.writeHead(status, headers).end(status < 300 ? undefined : JSON.stringify({ message }));
}

async function readMessage(request: IncomingMessage, path: string): Promise<PostedMessage> {
  const { headers } = request;
  const length = headers['content-length'];
  const described = { path, contentLength: length === undefined ? null : Number(length), userAgent: headers['user-agent'] ?? '' };
  if (!headers['content-type']?.startsWith('multipart/')) {
    return { ...described, message: JSON.parse((await readAll(request)).toString()), files: [] };
  }
  const parser = new Busboy({ headers: headers as BusboyHeaders });
  const files: PostedFile[] = [];
  let message: unknown = null;
  parser.on('field', (name, value) => {
    if (name === 'payload_json') message = JSON.parse(value);
  });
  parser.on('file', (field, stream, filename, _encoding, contentType) => {
    const hash = createHash('sha256');
    const file = { field, filename, contentType, size: 0, sha256: '' };
    files.push(file);
    stream.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      file.size += chunk.byteLength;
    });
    stream.on('end', () => {
      file.sha256 = hash.digest('hex');
    });
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', reject);
    request.on('error', reject);
    request.pipe(parser);
  });
  return { ...described, message, files };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
