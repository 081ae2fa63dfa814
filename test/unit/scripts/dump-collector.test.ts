import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCollector } from '../../../scripts/dumps/collector.ts';
import { parseDumpsWatchOptions } from '../../../scripts/dumps/options.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const TAKEN: Reply = { status: 200, body: { accepted: true, message: 'anchor 1: 2 boards, 5 entries' } };

let folder: string;
let server: Server;
let origin: string;
let time: number;
let lines: string[];
let requests: { url: string; token: string; text: string }[];
/** Replies to the next requests; afterwards every dump is taken. null: the connection breaks. */
let replies: (Reply | null)[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      requests.push({ url: request.url ?? '', token: request.headers.authorization ?? '', text });
      const reply = replies.length > 0 ? replies.shift() : TAKEN;
      if (!reply) return response.destroy();
      response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dumps-'));
  time = NOW;
  lines = [];
  requests = [];
  replies = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function collector(changes: Partial<Parameters<typeof createCollector>[0]> = {}) {
  const log = (line: string) => lines.push(line);
  const options = {
    folder,
    origin,
    token: 'gda_test',
    settleSeconds: 10,
    backfill: false,
    keepDays: 14,
    log,
    now: () => time,
    random: () => 1,
  };
  const { collect } = createCollector({ ...options, ...changes });
  return () => collect(new AbortController().signal);
}

function addFile(path: string, secondsAgo: number, text = 'dump') {
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), NOW / 1000 - secondsAgo, NOW / 1000 - secondsAgo);
}

const files = (path: string) => readdirSync(join(folder, path)).toSorted();

describe('the collector of dumps', () => {
  it('sends complete files, oldest first, with the time of their last change', async () => {
    const collect = collector();
    addFile('leaderboards/b.txt', 60, 'second');
    addFile('leaderboards/a.txt', 3600, 'first');
    addFile('leaderboards/growing.txt', 5);
    addFile('leaderboards/.hidden', 60);
    addFile('leaderboards/c.txt.part', 60);
    addFile('market/m.cfg', 60, 'listings');
    await collect();
    expect(requests.map(({ url }) => url)).toEqual([
      `/v1/leaderboards/insert?sync=true&timestamp=${NOW / 1000 - 3600}`,
      `/v1/leaderboards/insert?sync=true&timestamp=${NOW / 1000 - 60}`,
      `/v1/market/insert?&timestamp=${NOW / 1000 - 60}`,
    ]);
    expect(requests.every(({ token }) => token === 'Bearer gda_test')).toBe(true);
    expect(requests[0]?.text).toMatch(/name="file"; filename="a.txt"[\s\S]*first/);
    expect(files('leaderboards')).toEqual(['.hidden', 'c.txt.part', 'growing.txt', 'refused', 'sent']);
    expect(files('leaderboards/sent')).toEqual(['a.txt', 'b.txt']);
  });

  it('counts a file that was just written as waiting, and sends it later', async () => {
    const collect = collector();
    addFile('market/m.cfg', 1);
    addFile('market/.hidden', 60);
    expect(await collect()).toBe(1);
    expect(requests).toEqual([]);
    time += 9000;
    expect(await collect()).toBe(0);
    expect(files('market/sent')).toEqual(['m.cfg']);
  });

  it.each<[string, Reply | null, number]>([
    ['a broken connection', null, 5_000],
    ['429 with Retry-After', { status: 429, body: {}, headers: { 'Retry-After': '300' } }, 300_000],
    ['503 without one', { status: 503, body: { error: { message: 'overloaded' } } }, 5_000],
    ['500', { status: 500, body: 'x' }, 5_000],
  ])('keeps a file after %s and sends it again later', async (_, reply, waitMs) => {
    const collect = collector();
    addFile('market/m.cfg', 60);
    replies = [reply];
    expect(await collect()).toBe(1);
    expect(files('market')).toContain('m.cfg');
    time = NOW + waitMs - 1;
    await collect();
    expect(requests).toHaveLength(1);
    time = NOW + waitMs;
    expect(await collect()).toBe(0);
    expect(files('market/sent')).toEqual(['m.cfg']);
  });

  it('waits longer after each failure, at most five minutes, and not for the other kind', async () => {
    const collect = collector();
    addFile('market/m.cfg', 60);
    replies = Array.from({ length: 10 }, () => null);
    const waits: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await collect();
      waits.push(Number(/next try in (\d+) s/.exec(lines.at(-1) ?? '')?.[1]));
      time += 300_000;
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300, 300]);
    replies = [null];
    await collect();
    addFile('leaderboards/a.txt', 60);
    await collect();
    expect(files('market')).toContain('m.cfg');
    expect(files('leaderboards/sent')).toEqual(['a.txt']);
  });

  it.each<[string, Reply, string]>([
    ['a refusal', { status: 400, body: { error: { message: 'file is not a dump' } } }, 'file is not a dump'],
    [
      'a capture that was not accepted',
      { status: 200, body: { accepted: false, message: 'fewer boards than before' } },
      'fewer boards than before',
    ],
  ])('puts a file aside with the reason after %s, and goes on', async (_, reply, reason) => {
    const collect = collector();
    addFile('leaderboards/a.txt', 60);
    addFile('leaderboards/b.txt', 50);
    replies = [reply];
    await collect();
    expect(files('leaderboards/refused')).toEqual(['a.txt', 'a.txt.reason.txt']);
    expect(readFileSync(join(folder, 'leaderboards/refused/a.txt.reason.txt'), 'utf8')).toBe(`${reason}\n`);
    expect(files('leaderboards/sent')).toEqual(['b.txt']);
  });

  it('refuses empty and too large files without sending them', async () => {
    const collect = collector();
    addFile('market/empty.cfg', 60, '');
    addFile('market/large.cfg', 60, 'x'.repeat(20 * 1024 * 1024 + 1));
    await collect();
    expect(requests).toEqual([]);
    expect(files('market/refused')).toEqual(['empty.cfg', 'empty.cfg.reason.txt', 'large.cfg', 'large.cfg.reason.txt']);
  });

  it('stops when the token is refused, and leaves the files', async () => {
    const collect = collector();
    addFile('market/m.cfg', 60);
    replies = [{ status: 401, body: { error: { message: 'invalid token' } } }];
    await expect(collect()).rejects.toThrow('The service refuses the token: invalid token');
    expect(files('market')).toContain('m.cfg');
  });

  it('deletes sent files after the days to keep', async () => {
    const collect = collector();
    addFile('market/m.cfg', 60);
    await collect();
    time = NOW + 14 * 86_400_000;
    await collect();
    expect(files('market/sent')).toEqual(['m.cfg']);
    time += 1000;
    await collect();
    expect(files('market/sent')).toEqual([]);
    expect(existsSync(join(folder, 'market/refused'))).toBe(true);
  });
});

describe('the options of the collector', () => {
  const env = { GAME_DATA_SUPERUSER_TOKEN: 'gda_env' };
  const parse = (...args: string[]) => parseDumpsWatchOptions([folder, ...args], env);

  it('has defaults and reads the token from a file', () => {
    expect(parse('--url', 'https://api.game.test/')).toMatchObject({
      origin: 'https://api.game.test',
      token: 'gda_env',
      settleSeconds: 10,
      keepDays: 14,
    });
    writeFileSync(join(folder, 'token'), 'gda_file\n');
    expect(parse('--url', 'https://api.game.test', '--token-file', join(folder, 'token')).token).toBe('gda_file');
  });

  it.each([
    ['no address', [], /--url must be/],
    ['plain http to a distant address', ['--url', 'http://api.game.test'], /must be https/],
    ['a number with letters', ['--url', 'https://api.game.test', '--settle', '1m'], /--settle must be/],
    ['a missing token file', ['--url', 'https://api.game.test', '--token-file', '/nowhere/token'], /does not exist/],
  ] as const)('refuses %s', (_, args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

describe('the collector with hostile responses and names', () => {
  it.each([
    ['null', null],
    ['a list', [1]],
    ['fields of other types', { accepted: { a: 1 }, message: { b: 2 }, imported: '<script>', error: 'x' }],
    ['a huge text', { message: 'x'.repeat(1_000_000) }],
  ])('takes %s as the body of a success', async (_, body) => {
    const collect = collector();
    addFile('market/a.txt', 60);
    replies = [{ status: 200, body }];
    expect(await collect()).toBe(0);
    expect(files('market/sent')).toEqual(['a.txt']);
    expect(lines.join('').length).toBeLessThan(3000);
  });

  it('writes one line for a file and a reason with line breaks, and moves files with any name', async () => {
    const collect = collector();
    const names = [`a\nb "'$(touch x)`, '--help', '-x..txt', `${'é'.repeat(120)}.txt`];
    for (const name of names) addFile(`market/${name}`, 60);
    replies = names.map(() => ({ status: 422, body: { error: { message: 'no\r\n12:00 market/b: sent' } } }));
    expect(await collect()).toBe(0);
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(lines).toHaveLength(names.length);
    expect(files('market/refused').filter((name) => names.includes(name))).toHaveLength(names.length);
    expect(files('market/refused')).toHaveLength(2 * names.length);
  });

  it('does not send the token to the target of a redirect', async () => {
    const collect = collector();
    addFile('market/a.txt', 60);
    replies = [{ status: 307, body: {}, headers: { Location: `${origin}/elsewhere` } }];
    await expect(collect()).rejects.toThrow('redirects (307)');
    expect(requests).toHaveLength(1);
  });
});
