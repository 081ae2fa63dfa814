import { env } from 'cloudflare:workers';
import { and, eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { outbox } from '../../../src/platform/durable/outbox.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { bearer, call } from '../../support/requests.ts';
import { type PortalClient, portalWorld, START, signedInPerson } from '../accounts/world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();

/** The objects of the tokens, of which no message of a change reaches one while `isCut`. */
const network = { isCut: false };
const objects = new Proxy(env.TOKEN_GATES, {
  get(target, name) {
    if (name !== 'getByName') return Reflect.get(target, name);
    return (id: string) =>
      new Proxy(target.getByName(id), {
        get(stub, method) {
          const isChange = method === 'apply' || method === 'erase';
          if (isChange && network.isCut) return () => Promise.reject(new Error('out of reach'));
          return (...input: unknown[]) => (Reflect.get(stub, method) as (...input: unknown[]) => unknown)(...input);
        },
      });
  },
});
const cutBindings = { TOKEN_GATES: objects };
const cutWorld = portalWorld({ bindings: cutBindings });

/** Time of the newest run of a job. */
let jobTime = START;

/** The same person in the world whose messages to the gates can be cut. */
function behindCut(client: PortalClient): PortalClient {
  const other = cutWorld.client();
  other.credential = client.credential;
  return other;
}

const statusOf = async (token: string) =>
  (await call('/v1/token', { authorization: bearer(token), now: START, address: '10.1.2.3' }, world.fetch)).status;

const accountOf = (email: string) => db.select().from(users).where(eq(users.email, email));

async function runJob(name = 'token-changes', bindings: Partial<Env> = {}): Promise<void> {
  // A run of its own minute, after the pause of the attempt before.
  jobTime += 60;
  const started = await composeApp({ ...env, ...bindings }).scheduler.start(name, jobTime);
  await started?.work;
}

async function newToken() {
  const person = await signedInPerson(world);
  const { id, token } = (await person.client.post('/tokens', { name: 'bot' })).body;
  expect(await statusOf(token)).toBe(200);
  return { ...person, id, token, cut: behindCut(person.client) };
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  network.isCut = true;
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('change of a token whose gate is out of reach', () => {
  it('is 503 with pending for a revocation, also when repeated, and in effect after the job', async () => {
    const { id, token, cut, client } = await newToken();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await cut.post(`/tokens/${id}/revoke`, { reason: 'test' });
      expect([refused.status, refused.body.error.details]).toEqual([503, { pending: true }]);
      expect(refused.headers.get('Retry-After')).toBe('60');
    }
    expect((await client.get('/tokens')).body).toMatchObject([{ revoked: true }]);
    expect(await statusOf(token)).toBe(200);
    await runJob();
    expect(await statusOf(token)).toBe(401);
    network.isCut = false;
    expect((await cut.post(`/tokens/${id}/revoke`, { reason: 'test' })).status).toBe(200);
  });

  it('is 202 with the new secret for a rotation', async () => {
    const { id, token, cut } = await newToken();
    const rotated = await cut.post(`/tokens/${id}/rotate`);
    expect(rotated.status).toBe(202);
    expect(rotated.body).toMatchObject({ id, pending: true, token: expect.stringMatching(/^gda_/) });
    expect(await statusOf(token)).toBe(200);
    await runJob();
    expect([await statusOf(token), await statusOf(rotated.body.token)]).toEqual([401, 200]);
  });

  it('is 503 with pending for the other changes', async () => {
    const { id, cut } = await newToken();
    const changes = [
      await cut.send('PATCH', `/tokens/${id}`, { name: 'other' }),
      await cut.post('/auth/delete-account', { confirm_email: (await cut.get('/auth/me')).body.email, password: PASSWORD }),
    ];
    for (const { status, body } of changes) expect([status, body.error.details]).toEqual([503, { pending: true }]);
  });

  it('completes the deletion of an account by itself, which nobody can sign in to meanwhile', async () => {
    const { token, cut, email } = await newToken();
    const refused = await cut.post('/auth/delete-account', { confirm_email: email, password: PASSWORD });
    expect([refused.status, refused.body.error.details]).toEqual([503, { pending: true }]);
    expect((await cut.login(email)).status).toBe(401);
    expect(await statusOf(token)).toBe(200);
    expect(await accountOf(email)).toMatchObject([{ isActive: false }]);
    await runJob('account-deletions', cutBindings);
    expect(await accountOf(email)).toMatchObject([{ isActive: false }]);
    await runJob('account-deletions');
    expect(await statusOf(token)).toBe(401);
    expect(await accountOf(email)).toEqual([]);
    expect(await db.select().from(outbox).where(eq(outbox.kind, 'account-deletions'))).toEqual([]);
  });
});

describe('rotation with an overlap', () => {
  const use = async (token: string, now = START) =>
    (await call('/v1/token', { authorization: bearer(token), now, address: '10.1.2.3' }, world.fetch)).status;

  beforeEach(() => {
    network.isCut = false;
  });

  it('accepts the old secret until the overlap ends', async () => {
    const { client, id, token, email } = await newToken();
    const rotated = (await client.post(`/tokens/${id}/rotate`, { overlap_seconds: 3600 })).body;
    expect(rotated.previous_secret_until).toBe(new Date((START + 3600) * 1000).toISOString());
    expect((await client.get('/tokens')).body).toMatchObject([{ previous_secret_until: rotated.previous_secret_until }]);
    expect([await use(token, START + 3600), await use(rotated.token)]).toEqual([200, 200]);
    expect([await use(token, START + 3601), await use(rotated.token, START + 3601)]).toEqual([401, 200]);
    const [mail] = (await world.mails(email)).slice(-1);
    expect(mail?.text).toContain('The old secret works until');
  });

  it('ends the first overlap with a second rotation', async () => {
    const { client, id, token } = await newToken();
    const first = (await client.post(`/tokens/${id}/rotate`, { overlap_seconds: 86_400 })).body.token;
    const second = (await client.post(`/tokens/${id}/rotate`, { overlap_seconds: 60 })).body.token;
    expect([await use(token), await use(first), await use(second)]).toEqual([401, 200, 200]);
    const third = (await client.post(`/tokens/${id}/rotate`)).body;
    expect(third.previous_secret_until).toBeNull();
    expect([await use(first), await use(second), await use(third.token)]).toEqual([401, 401, 200]);
  });

  it('ends both secrets with a revocation', async () => {
    const { client, id, token } = await newToken();
    const rotated = (await client.post(`/tokens/${id}/rotate`, { overlap_seconds: 3600 })).body;
    expect((await client.post(`/tokens/${id}/revoke`, { reason: 'test' })).status).toBe(200);
    expect([await use(token), await use(rotated.token)]).toEqual([401, 401]);
  });

  it.each([[-1], [86_401], [1.5], ['60']])('rejects %j seconds', async (overlap) => {
    const { client, id } = await newToken();
    expect((await client.post(`/tokens/${id}/rotate`, { overlap_seconds: overlap })).status).toBe(422);
  });
});

describe('concurrent rotations of a token', () => {
  it('queue a mail only for the rotations that were stored', async () => {
    network.isCut = false;
    const { client, email } = await signedInPerson(world);
    const { id } = (await client.post('/tokens', { name: 'bot' })).body;
    const responses = await Promise.all(Array.from({ length: 6 }, () => client.post(`/tokens/${id}/rotate`)));
    const stored = responses.filter(({ status }) => status === 200).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(6);
    const mails = await db
      .select()
      .from(mailOutbox)
      .where(and(eq(mailOutbox.recipient, email), like(mailOutbox.subject, '%was rotated')));
    expect(mails.reduce((sum, { repeats }) => sum + 1 + repeats, 0)).toBe(stored);
  });
});
