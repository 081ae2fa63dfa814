import type { IncomingMessage, ServerResponse } from 'node:http';

/** Faults of external services. */
export const FAULTS = [
  'error-500',
  'error-404',
  'busy-429',
  'reset',
  'timeout',
  'slow-drip',
  'truncated',
  'cut-short',
  'html',
  'empty',
  'huge',
  'huge-declared',
  'not-modified',
  'invalid-utf8',
  'redirect-private',
  'redirect-insecure',
  'redirect-loop',
] as const;
export type Fault = (typeof FAULTS)[number];

const HTML = '<!doctype html><html><head><title>Just a moment</title></head><body><h1>Checking your browser</h1></body></html>';
const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');
const HUGE_MEGABYTES = 50;
const NOT_UTF8 = Buffer.from([0x20, 0xff, 0xfe, 0x20]);
const DRIP_MS = 100;

/** The response without the fault. */
export interface FullResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A faulty exchange: request, response, and the regular response. */
interface Mishap {
  request: IncomingMessage;
  response: ServerResponse;
  answer: FullResponse;
  /** Content type of the regular response. */
  type: string;
}

/** A complete response. */
function respondWith(status: number, headers: Record<string, string>, body: string | Buffer = '') {
  return ({ response }: Mishap): void => {
    response.writeHead(status, headers).end(body);
  };
}

const MISHAPS: Readonly<Record<Fault, (mishap: Mishap) => void>> = {
  'error-500': respondWith(500, { 'Content-Type': 'text/html' }, HTML),
  'error-404': respondWith(404, { 'Content-Type': 'text/plain' }, '404 page not found\n'),
  'busy-429': respondWith(429, { 'Retry-After': '3600', 'Content-Type': 'text/plain' }, 'slow down'),
  reset: ({ request }) => {
    request.socket.destroy();
  },
  timeout: () => {},
  'slow-drip': ({ response, type, answer }) => drip(response, type, answer.body),
  truncated: ({ request, response, answer }) => {
    response.writeHead(200, { ...answer.headers, 'Content-Length': String(answer.body.length) });
    response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy());
  },
  'cut-short': (mishap) =>
    respondWith(200, { 'Content-Type': mishap.type }, mishap.answer.body.subarray(0, mishap.answer.body.length / 2))(mishap),
  html: respondWith(200, { 'Content-Type': 'text/html' }, HTML),
  empty: (mishap) => respondWith(200, { 'Content-Type': mishap.type })(mishap),
  huge: ({ response, type }) => flood(response, { 'Content-Type': type }),
  'huge-declared': ({ response, type }) =>
    flood(response, { 'Content-Type': type, 'Content-Length': String(HUGE_MEGABYTES * MEGABYTE.length) }),
  'not-modified': respondWith(304, {}),
  'invalid-utf8': (mishap) => respondWith(200, { 'Content-Type': mishap.type }, Buffer.concat([mishap.answer.body, NOT_UTF8]))(mishap),
  'redirect-private': respondWith(302, { Location: 'https://10.0.0.1/inside' }),
  'redirect-insecure': respondWith(302, { Location: 'http://example.com/elsewhere' }),
  'redirect-loop': (mishap) => respondWith(302, { Location: mishap.request.url ?? '/' })(mishap),
};

/** Sends a fault instead of the regular response. */
export function misbehave(fault: Fault, request: IncomingMessage, response: ServerResponse, answer: FullResponse): void {
  MISHAPS[fault]({ request, response, answer, type: answer.headers['Content-Type'] ?? 'text/plain' });
}

/** Sends a byte at intervals and never ends. */
function drip(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': type });
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent % body.length, (sent % body.length) + 1));
    sent++;
  }, DRIP_MS);
  response.on('close', () => clearInterval(timer));
}

/** Sends 50 MB as fast as the client reads them; stops when the client disconnects. */
function flood(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, headers);
  let left = HUGE_MEGABYTES;
  const pump = () => {
    let hasRoom = true;
    while (hasRoom && left > 0 && !response.destroyed) {
      left--;
      hasRoom = response.write(MEGABYTE);
    }
    if (hasRoom) response.end();
    else response.once('drain', pump);
  };
  pump();
}
