import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSessions, createSessionsStore, createSignedClaims } from '../../../src/platform/access/sessions/sessions.ts';
import { sessions as sessionRows, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';

const SECRET = 'x'.repeat(32);
const db = createDatabase(env.DB);
const claims = createSignedClaims(SECRET);
const sessions = createSessions(claims, createSessionsStore(db));

/** Account of an access token; null when invalid. */
async function check(credential: string, now: number) {
  const session = await sessions.read(credential, now);
  return session && sessions.find(session, now);
}

/** A stored session with an access token issued by the service. */
async function signedIn() {
  const { userId, sessionId } = await createSession();
  return { userId, sessionId, credential: await sessions.issue({ id: sessionId, userId, tokenVersion: 0 }, NOW) };
}

/** An access token with the given claims and key. */
function forgeToken(payload: Record<string, unknown>, secret = SECRET, alg = 'HS256'): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret.padEnd(64, secret)));
}

describe('session access token', () => {
  it('identifies its account for 15 minutes', async () => {
    const { userId, sessionId, credential } = await signedIn();
    expect(await check(credential, NOW + 899)).toEqual({
      kind: 'session',
      userId,
      sessionId,
      isVerified: true,
      isSuperuser: false,
      hasSecondFactor: false,
      name: `${userId}@example.com`,
    });
    expect(await check(credential, NOW + 900)).toBeNull();
  });

  it('contains exactly the documented claims', async () => {
    const { userId, sessionId, credential } = await signedIn();
    expect(decodeProtectedHeader(credential)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodeJwt(credential)).toEqual({ sub: userId, ver: 0, sid: sessionId, type: 'access', iat: NOW, exp: NOW + 900 });
  });

  it('is rejected once its session ends, its account is gone or the account version changes', async () => {
    const ends = [
      ({ sessionId }: { sessionId: string }) => db.delete(sessionRows).where(eq(sessionRows.id, sessionId)),
      ({ sessionId }: { sessionId: string }) => db.update(sessionRows).set({ expiresAt: NOW }).where(eq(sessionRows.id, sessionId)),
      ({ userId }: { userId: string }) => db.update(users).set({ tokenVersion: 1 }).where(eq(users.id, userId)),
      ({ userId }: { userId: string }) => db.update(users).set({ isActive: false }).where(eq(users.id, userId)),
      ({ userId }: { userId: string }) => db.delete(users).where(eq(users.id, userId)),
    ];
    for (const end of ends) {
      const session = await signedIn();
      expect(await check(session.credential, NOW)).not.toBeNull();
      await end(session);
      expect(await check(session.credential, NOW)).toBeNull();
    }
  });

  it('is rejected when forged or made from another token type', async () => {
    const { userId, sessionId, credential } = await signedIn();
    const validClaims = { sub: userId, ver: 0, sid: sessionId, type: 'access', iat: NOW, exp: NOW + 900 };
    const key = new TextEncoder().encode(SECRET);
    const signed = (payload: Record<string, unknown>) => new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(key);
    expect(await check(await signed(validClaims), NOW)).not.toBeNull();
    const bad = [
      await forgeToken(validClaims, 'another'),
      await forgeToken(validClaims, SECRET, 'HS512'),
      new UnsecuredJWT(validClaims).encode(),
      await signed({ ...validClaims, type: 'verify' }),
      await signed({ ...validClaims, type: undefined }),
      await signed({ ...validClaims, exp: undefined }),
      await signed({ ...validClaims, ver: '0' }),
      await signed({ ...validClaims, sid: crypto.randomUUID() }),
      await signed({ ...validClaims, sub: (await signedIn()).userId }),
      `${credential.slice(0, -4)}AAAA`,
      'a.b.c',
      '..',
    ];
    for (const [index, text] of bad.entries()) expect(await check(text, NOW), String(index)).toBeNull();
  });

  it('is neither accepted nor issued without a sufficiently long secret', async () => {
    const { userId, sessionId, credential } = await signedIn();
    for (const secret of [undefined, '', 'short']) {
      const closed = createSessions(createSignedClaims(secret), createSessionsStore(db));
      expect(await closed.read(credential, NOW)).toBeNull();
      await expect(closed.issue({ id: sessionId, userId, tokenVersion: 0 }, NOW)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });
});
