import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pick, type RandomSource, randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import type { FullResponse } from './faults.ts';

/** Texts that are markup, commands, paths or addresses where they are shown, or that hide what follows. */
export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  ']]><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://10.0.0.1/inside',
  'http://localhost:1/inside',
  '//evil.example/x',
  'https://evil.example/"onload="alert(1)',
  '=HYPERLINK("https://evil.example")',
  '@everyone',
  "'; DROP TABLE mods; --",
  'BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT',
  '\u001b[2J\u0007\u202e\u0000x',
  '../../etc/passwd',
  '__proto__',
  '\ud800',
  '9'.repeat(400),
  '-1',
  '',
  ' ',
] as const;

/** Numbers as texts of JSON: not finite, over 2^53, tiny, negative. */
const NUMBERS = ['1e999', '-1e999', '9007199254740993', '-9007199254740993', '1e-320', '-0', '0.1', '253402300800', '99999999999999'];

type Attack = (response: ServerResponse, regular: FullResponse, random: RandomSource) => void;

const send = (response: ServerResponse, { status, headers }: FullResponse, body: string | Buffer, more: Record<string, string> = {}) => {
  // The validator of the regular response would confirm another body.
  response.writeHead(status, { ...headers, ETag: `"${body.length}"`, ...more }).end(body);
};

function hostileText(random: RandomSource): string {
  const text = pick(random, HOSTILE_TEXTS);
  return randomBelow(random, 12) === 0 ? text.repeat(5000) : text;
}

/** A value with some of its leaves replaced. `share`: one of how many. */
function disturbed(value: unknown, random: RandomSource, share: number): unknown {
  const isHit = randomBelow(random, share) === 0;
  if (Array.isArray(value)) return isHit && randomBelow(random, 4) === 0 ? {} : value.map((item) => disturbed(item, random, share));
  if (typeof value === 'object' && value !== null) {
    if (isHit && randomBelow(random, 8) === 0) return pick(random, [null, [], 'text', 3]);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, disturbed(item, random, share)]));
  }
  if (!isHit) return value;
  const other = [hostileText(random), null, true, [], { a: 1 }, `NUMBER${randomBelow(random, NUMBERS.length)}`];
  return randomBelow(random, 3) === 0 ? pick(random, other) : hostileText(random);
}

/** JSON with disturbed leaves; null for a body that is not JSON. */
function disturbedJson(body: Buffer, random: RandomSource): string | null {
  try {
    const text = JSON.stringify(disturbed(JSON.parse(body.toString()), random, 1 + randomBelow(random, 5)));
    return text.replaceAll(/"NUMBER(\d+)"/g, (_, index) => NUMBERS[Number(index)] ?? '0');
  } catch {
    return null;
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Markup with some of its texts replaced, escaped or as they are. */
function disturbedMarkup(body: Buffer, random: RandomSource): string {
  const share = 1 + randomBelow(random, 6);
  const isEscaped = randomBelow(random, 3) > 0;
  const replacement = () => {
    const text = hostileText(random);
    return isEscaped ? escaped(text) : text;
  };
  return body
    .toString()
    .replaceAll(/>([^<>]+)</g, (whole) => (randomBelow(random, share) === 0 ? `>${replacement()}<` : whole))
    .replaceAll(/"(https?:[^"]*)"/g, (whole) => (randomBelow(random, share) === 0 ? `"${replacement()}"` : whole));
}

const content = (regular: FullResponse, random: RandomSource): string =>
  disturbedJson(regular.body, random) ?? disturbedMarkup(regular.body, random);

let bomb: Buffer | null = null;

const ATTACKS: Readonly<Record<string, Attack>> = {
  texts: (response, regular, random) => send(response, regular, content(regular, random)),
  'many texts': (response, regular, random) => send(response, regular, content(regular, random)),
  'deep json': (response, regular, random) => send(response, regular, pick(random, ['[', '{"a":']).repeat(100_000)),
  'closed deep json': (response, regular) => send(response, regular, '['.repeat(20_000) + ']'.repeat(20_000)),
  'duplicate keys': (response, regular, random) => {
    const text = content(regular, random);
    send(response, regular, text.replaceAll('{"', '{"__proto__":{"polluted":1},"constructor":1,"id":"first","id":null,"'));
  },
  'length too long': (response, regular, random) => {
    response.writeHead(regular.status, { ...regular.headers, 'Content-Length': String(regular.body.length + 1000) });
    response.write(regular.body, () => (randomBelow(random, 2) === 0 ? response.destroy() : response.socket?.end()));
  },
  'length too short': (response, regular) =>
    send(response, regular, regular.body, { 'Content-Length': String(regular.body.length >> 1), Connection: 'close' }),
  'no gzip': (response, regular) => send(response, regular, regular.body, { 'Content-Encoding': 'gzip' }),
  'cut gzip': (response, regular) =>
    send(response, regular, gzipSync(regular.body).subarray(0, regular.body.length >> 3), { 'Content-Encoding': 'gzip' }),
  bomb: (response, regular) => {
    bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 1 });
    send(response, regular, bomb, { 'Content-Encoding': 'gzip' });
  },
  'other type': (response, regular, random) => {
    const types = ['image/png', 'text/html; charset=utf-16', 'application/json; charset="utf-7"', 'x'.repeat(2000), 'multipart/form-data'];
    send(response, regular, content(regular, random), { 'Content-Type': pick(random, types) });
  },
  'changed in the middle': (response, regular, random) => {
    const half = regular.body.length >> 1;
    const other = Buffer.from(content(regular, random));
    send(response, regular, Buffer.concat([regular.body.subarray(0, half), other.subarray(Math.min(half, other.length))]));
  },
  'other validator': (response, regular) => send(response, regular, '', { ETag: `"${'x'.repeat(4000)}"`, 'Last-Modified': 'tomorrow' }),
  'redirect to a script': (response) => response.writeHead(302, { Location: 'javascript:alert(1)' }).end(),
  'redirect with credentials': (response) => response.writeHead(302, { Location: 'https://a:b@evil.example/' }).end(),
  'redirect to metadata': (response) => response.writeHead(307, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'redirect to an address in another form': (response, _, random) =>
    response.writeHead(301, { Location: pick(random, ['https://2130706433/', 'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/']) }).end(),
  'many headers': (response, regular) =>
    send(response, regular, regular.body, Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`X-H${index}`, 'x'.repeat(50)]))),
};
export const ATTACK_NAMES = Object.keys(ATTACKS);

/** Sends a response that is hostile in a way that the seed decides. */
export function attack(seed: string, response: ServerResponse, regular: FullResponse): void {
  const random = seededRandom(seed);
  (ATTACKS[pick(random, ATTACK_NAMES)] as Attack)(response, regular, random);
}
