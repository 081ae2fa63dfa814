import { env } from 'cloudflare:workers';
import { eq, like } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashToken, mintSecret } from '../../../src/platform/access/tokens/token-format.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { apiTokens } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { createProjectKey } from '../../support/projects.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { bearer, call } from '../../support/requests.ts';
import { createPartnerKey, EXAMPLE_REPORT } from '../../support/scanning-partner.ts';
import { createAccount, createToken, readToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { outcome, portalWorld, START } from '../accounts/world.ts';
import { testApp } from '../platform/test-app.ts';

const PATH = '/secret-scanning';
const REASON = 'exposed publicly, found by secret scanning';
const db = createDatabase(env.DB);
const partner = upstreamSession('scanning-keys');
const world = portalWorld({ bindings: partner.vars });
/** Another isolate, with its own memory. */
const otherIsolate = testApp();
const key = await createPartnerKey();
await partner.order({ state: { keys: [EXAMPLE_REPORT.key, key.listed] } });

async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, fetch = world.fetch) {
  const response = await call(PATH, { method: 'POST', body, headers, now: START }, fetch);
  return { ...response, body: JSON.parse(response.text) };
}

/** Sends a signed report. */
async function report(matches: unknown, fetch = world.fetch) {
  const text = typeof matches === 'string' ? matches : JSON.stringify(matches);
  return send(text, await key.headersFor(text), fetch);
}

const match = (token: string, more: object = {}) => ({
  token,
  type: 'gda_api_token',
  url: 'https://git.example/a/b',
  source: 'content',
  ...more,
});
const statusOf = async (secret: string) => (await call('/v1/token', { authorization: bearer(secret), now: START }, otherIsolate)).status;

/** A token and the email address of its owner. */
async function owned(options: Parameters<typeof createToken>[0] = {}) {
  const userId = await createAccount();
  const secret = await createToken({ userId, ...options });
  const row = async () =>
    (
      await db
        .select()
        .from(apiTokens)
        .where(eq(apiTokens.hashedToken, hashToken(secret)))
    )[0];
  return { secret, email: `${userId}@example.com`, row };
}

const mailsTo = (email: string) => db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('POST /secret-scanning', () => {
  it('ends an exposed project key and mails the member once', async () => {
    const { secret, id, userId } = await createProjectKey();
    const email = `${userId}@example.com`;
    for (let times = 0; times < 2; times += 1) {
      const response = await report([match(secret)]);
      expect([response.status, response.body[0].label]).toEqual([200, 'true_positive']);
    }
    const row = await env.DB.prepare('SELECT ended_at, end_reason FROM project_keys WHERE id = ?1').bind(id).first();
    expect(row).toEqual({ ended_at: START, end_reason: REASON });
    expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(['alert']);
  });

  it('verifies the signature as documented by the partner', async () => {
    const { body, signature, key: documented } = EXAMPLE_REPORT;
    const headers = { 'Github-Public-Key-Identifier': documented.key_identifier, 'Github-Public-Key-Signature': signature };
    const response = await send(body, headers);
    expect([response.status, response.body]).toEqual([
      200,
      [{ token_raw: 'some_token', token_type: 'some_type', label: 'false_positive' }],
    ]);
    expect(outcome(await send(`${body} `, headers))).toBe('401 not_authenticated');
  });

  it('revokes reported tokens immediately and mails each owner once', async () => {
    const { secret, email, row } = await owned();
    expect(await statusOf(secret)).toBe(200);
    const stranger = `gda_${'A'.repeat(43)}_nYPti`;
    const matches = [match(secret), match(stranger), match(secret, { url: 'https://git.example/second' })];
    const response = await report(matches);
    expect(response.status).toBe(200);
    expect(response.body).toEqual([
      { token_raw: secret, token_type: 'gda_api_token', label: 'true_positive' },
      { token_raw: stranger, token_type: 'gda_api_token', label: 'false_positive' },
      { token_raw: secret, token_type: 'gda_api_token', label: 'true_positive' },
    ]);
    expect(await statusOf(secret)).toBe(401);
    expect(await row()).toMatchObject({ revoked: true, revokedAt: START, revokeReason: REASON });
    const mails = await world.mails(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('https://git.example/a/b');
    expect(mails[0]?.text).toContain(secret.slice(0, 12));
    expect(mails[0]?.text).not.toContain(secret.slice(0, 20));

    const again = await report(matches);
    expect(again.text).toBe(response.text);
    expect(await row()).toMatchObject({ revokedAt: START, revokeReason: REASON });
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('defaults missing fields and skips invalid matches', async () => {
    const odd = [{ token: 'one' }, null, 7, 'text', [], {}, { type: 'x' }, { token: 9 }, { token: '' }, { token: 'two', type: 5, url: {} }];
    expect((await report(odd)).body).toEqual([
      { token_raw: 'one', token_type: 'gda_api_token', label: 'false_positive' },
      { token_raw: 'two', token_type: 'gda_api_token', label: 'false_positive' },
    ]);
    expect((await report([])).body).toEqual([]);
  });

  it('ends the overlap of an exposed old secret and keeps the current one', async () => {
    const { secret: old, email, row } = await owned();
    const before = await row();
    if (!before) throw new Error('the token is not stored');
    const { secret: current, ...rotation } = mintSecret(before.id, TOKEN_FORMAT);
    const registry = createTokenRegistry(db, createTokenGate(env.TOKEN_GATES));
    await registry.rotate(before, { ...rotation, previousUntil: START + 3600 }, START);
    expect([await statusOf(old), await statusOf(current)]).toEqual([200, 200]);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await report([match(old)])).body[0].label).toBe('true_positive');
      expect([await statusOf(old), await statusOf(current)]).toEqual([401, 200]);
    }
    const mails = await world.mails(email);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('the old secret of an API token was exposed')]);
    expect((await report([match(current)])).body[0].label).toBe('true_positive');
    expect(await statusOf(current)).toBe(401);
  });

  it('does not change an already revoked token', async () => {
    const { secret, email, row } = await owned({ row: { revoked: true, revokedAt: START - 5, revokeReason: 'no longer used' } });
    expect((await report([match(secret)])).body[0].label).toBe('true_positive');
    expect(await row()).toMatchObject({ revokedAt: START - 5, revokeReason: 'no longer used' });
    expect(await mailsTo(email)).toEqual([]);
  });

  it('omits a location that is not a web URL from the mail', async () => {
    const { secret, email } = await owned();
    await report([match(secret, { url: 'javascript:alert(1)' })]);
    const [mail] = await world.mails(email);
    expect(mail?.text).toMatch(/was found publicly\.\n/);
  });

  it('looks up many matches in one query', async () => {
    const { secret } = await owned();
    const many = Array.from({ length: 4999 }, (_, index) => match(`none-${index}`, { url: null }));
    const response = await report([...many, match(secret)]);
    expect(response.body).toHaveLength(5000);
    expect(response.body.at(-1).label).toBe('true_positive');
    expect(outcome(await report([...many, match('a'), match('b')]))).toBe('400 bad_request');
  });

  it('uses an index for any number of matches', async () => {
    const { database, statements } = recordingDatabase();
    const tokens = createTokenRegistry(createDatabase(database), { apply: async () => {} });
    const { secret } = await owned();
    expect(await tokens.byIds([readToken(secret).id, 'none'])).toMatchObject([{ name: 'test', revoked: false }]);
    expect(statements.size).toBe(1);
    expect(await scansOf(statements, ['api_tokens', 'users'])).toEqual([]);
  });

  it('writes no token to the log', async () => {
    const lines: string[] = [];
    for (const method of ['log', 'error', 'warn'] as const)
      vi.spyOn(console, method).mockImplementation((...said) => void lines.push(said.join(' ')));
    const { secret } = await owned();
    await report([match(secret)]);
    await send(JSON.stringify([match(secret)]), {});
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(secret.slice(4, 20));
  });
});

describe('unsigned report', () => {
  const body = JSON.stringify([match('x')]);

  it.each([
    ['no headers', {}],
    ['no signature', { 'Github-Public-Key-Signature': '' }],
    ['no key', { 'Github-Public-Key-Identifier': '' }],
    ['an unknown key', { 'Github-Public-Key-Identifier': 'ffff' }],
    ['an impossible key', { 'Github-Public-Key-Identifier': '../../etc' }],
    ['another key', { 'Github-Public-Key-Identifier': EXAMPLE_REPORT.key.key_identifier }],
    ['another signature', { 'Github-Public-Key-Signature': EXAMPLE_REPORT.signature }],
    ['no base64', { 'Github-Public-Key-Signature': '%%%' }],
    ['half a signature', { 'Github-Public-Key-Signature': 'MEUCIQDK' }],
    ['a long signature', { 'Github-Public-Key-Signature': 'A'.repeat(4000) }],
  ])('is rejected: %s', async (title, changes) => {
    const { secret } = await owned();
    const text = JSON.stringify([match(secret)]);
    const headers = title === 'no headers' ? {} : { ...(await key.headersFor(text)), ...changes };
    const response = await send(text, headers);
    expect([outcome(response), response.headers.get('WWW-Authenticate')]).toEqual(['401 not_authenticated', 'Bearer']);
    expect(await statusOf(secret)).toBe(200);
  });

  it('is rejected when a single byte differs', async () => {
    const headers = await key.headersFor(body);
    expect(outcome(await send(body.replace('"x"', '"y"'), headers))).toBe('401 not_authenticated');
    expect(outcome(await send(`${body}\n`, headers))).toBe('401 not_authenticated');
    expect((await send(body, headers)).status).toBe(200);
  });

  it('is rejected with a raw instead of a DER signature', async () => {
    const headers = await key.headersFor(body);
    const der = Uint8Array.from(atob(headers['Github-Public-Key-Signature'] ?? ''), (character) => character.charCodeAt(0));
    const raw = btoa(String.fromCharCode(...der.subarray(-64)));
    expect(outcome(await send(body, { ...headers, 'Github-Public-Key-Signature': raw }))).toBe('401 not_authenticated');
  });
});

describe('signed body without a valid report', () => {
  it.each(['', '{', '{}', '"text"', 'null', '7'])('is rejected: %j', async (text) => {
    expect(outcome(await report(text))).toBe('400 bad_request');
  });

  it('is rejected for invalid UTF-8 and above 2 MiB', async () => {
    const bytes = Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d]);
    expect(outcome(await send(bytes, await key.headersFor(bytes)))).toBe('400 bad_request');
    const long = new Uint8Array(2 * 1024 * 1024 + 1).fill(0x20);
    expect((await send(long, await key.headersFor('[]'))).status).toBe(413);
  });
});

describe('POST /secret-scanning after a crash', () => {
  it('notifies a gate that missed the revocation when the report is repeated', async () => {
    const { secret, row } = await owned();
    expect(await statusOf(secret)).toBe(200);
    await db
      .update(apiTokens)
      .set({ revoked: true, revokedAt: START, revokeReason: REASON })
      .where(eq(apiTokens.hashedToken, hashToken(secret)));
    expect(await statusOf(secret)).toBe(200);
    expect((await report([match(secret)])).body[0].label).toBe('true_positive');
    expect(await statusOf(secret)).toBe(401);
    expect(await row()).toMatchObject({ revokedAt: START });
  });

  it('stores nothing when the mail cannot be queued', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { secret, email } = await owned();
    await env.DB.prepare(
      `CREATE TRIGGER no_mail BEFORE INSERT ON mail_outbox WHEN NEW.recipient = '${email}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    ).run();
    try {
      expect(outcome(await report([match(secret)]))).toBe('500 internal_error');
    } finally {
      await env.DB.prepare('DROP TRIGGER no_mail').run();
    }
    expect(await statusOf(secret)).toBe(200);
    expect(await mailsTo(email)).toEqual([]);
    expect((await report([match(secret)])).status).toBe(200);
    expect(await statusOf(secret)).toBe(401);
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('keeps the mail while the provider is down', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { secret, email } = await owned();
    await world.mail.order({ fault: 'error-500' });
    try {
      expect((await report([match(secret)])).status).toBe(200);
    } finally {
      await world.mail.order({ fault: null });
    }
    expect(await mailsTo(email)).toMatchObject([{ state: 'waiting' }]);
    await report([match(secret)]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('queues one mail for concurrent reports', async () => {
    const { secret, email } = await owned();
    const other = portalWorld({ bindings: partner.vars });
    const responses = await Promise.all([world.fetch, other.fetch, world.fetch].map((fetch) => report([match(secret)], fetch)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await mailsTo(email)).toHaveLength(1);
    const kept = await db.select().from(mailOutbox).where(like(mailOutbox.id, 'exposed-%'));
    expect(JSON.stringify(kept)).not.toContain(secret.slice(4, 20));
  });
});
