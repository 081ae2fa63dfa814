import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDeployOptions } from '../../../scripts/deploy/options.ts';
import { sendTestMail } from '../../../scripts/deploy/test-mail.ts';

let server: Server;
let url: string;
let status: number;
let received: { key: string | undefined; body: Record<string, unknown> }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ key: request.headers.authorization, body: JSON.parse(text) as Record<string, unknown> });
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/emails`;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  status = 200;
  received = [];
});

const RECORDS: Readonly<Record<string, string[][]>> = {
  'game.test': [['v=spf1 include:mail', '.test -all'], ['unrelated']],
  '_dmarc.game.test': [['v=DMARC1; p=quarantine']],
};

async function run(changes: Partial<Parameters<typeof sendTestMail>[0]> = {}) {
  const lines: string[] = [];
  const lookUp = async (name: string) => RECORDS[name] ?? Promise.reject(new Error('ENOTFOUND'));
  const vars = { MAIL_FROM: 'Game Data API <no-reply@game.test>', MAIL_URL: url };
  const log = (line: string) => lines.push(line);
  await sendTestMail({
    vars,
    hasBinding: false,
    secretsFile: null,
    to: 'me@own.test',
    env: { MAIL_API_KEY: 'key' },
    lookUp,
    log,
    ...changes,
  });
  return lines;
}

describe('sendTestMail', () => {
  it('sends a mail as the service does, and prints the records of the sender', async () => {
    const lines = await run();
    expect(received).toMatchObject([{ key: 'Bearer key', body: { from: 'Game Data API <no-reply@game.test>', to: ['me@own.test'] } }]);
    expect(lines.slice(0, 2)).toEqual(['  ok    SPF: v=spf1 include:mail.test -all', '  ok    DMARC: v=DMARC1; p=quarantine']);
    expect(lines.at(-1)).toMatch(/^The provider took a mail/);
  });

  it.each([401, 422, 500])('throws the reason when the provider responds with %i', async (code) => {
    status = code;
    await expect(run()).rejects.toThrow(/did not take the mail: .*\d/);
  });

  it('notes missing records and stops at two of a kind', async () => {
    const lookUp = async (name: string) => (name.startsWith('_') ? [] : [['v=spf1 a -all'], ['v=spf1 mx -all']]);
    const lines = await run({ lookUp });
    expect(lines[0]).toMatch(/STOP {2}SPF: game\.test has 2 records/);
    expect(lines[1]).toMatch(/note {2}DMARC: _dmarc\.game\.test has no record/);
  });

  it.each([
    ['no key', { env: {} }, /MAIL_API_KEY in --secrets-file/],
    ['a binding', { hasBinding: true }, /binding MAIL/],
    ['a sender without an address', { vars: { MAIL_FROM: 'Nobody' } }, /MAIL_FROM has no address/],
  ] as const)('explains %s and sends nothing', async (_, changes, message) => {
    await expect(run(changes)).rejects.toThrow(message);
    expect(received).toEqual([]);
  });
});

describe('the option --test-mail', () => {
  it('is a mode of its own', () => {
    expect(parseDeployOptions(['production', '--test-mail', 'me@own.test'])).toMatchObject({ mode: 'test-mail', testMail: 'me@own.test' });
    expect(() => parseDeployOptions(['production', '--test-mail', 'me'])).toThrow(/needs the address/);
    expect(() => parseDeployOptions(['production', '--test-mail', 'me@own.test', '--create'])).toThrow(/--create cannot/);
  });
});
