import { env } from 'cloudflare:workers';
import { hashesOf, newRefreshToken } from '../../src/areas/accounts/session.service.ts';
import { createSignedClaims } from '../../src/platform/access/sessions/sessions.ts';
import { sessions } from '../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FIRST_INSTANT } from './requests.ts';
import { type AccountOptions, createAccount } from './tokens.ts';

/** After every clock of the tests. */
export const FAR_AWAY = 4_102_444_800;

/** Creates an account and a session credential that is valid at any time after `FIRST_INSTANT`. */
export async function createSession(options: AccountOptions & { userId?: string } = {}) {
  const db = createDatabase(env.DB);
  const userId = options.userId ?? (await createAccount(options));
  const sessionId = crypto.randomUUID();
  const refreshToken = newRefreshToken();
  const hashes = hashesOf(refreshToken);
  if (!hashes) throw new Error('a new refresh token is malformed');
  await db.insert(sessions).values({
    id: sessionId,
    userId,
    ...hashes,
    refreshedAt: FIRST_INSTANT,
    createdAt: FIRST_INSTANT,
    lastUsedAt: FIRST_INSTANT,
    expiresAt: FAR_AWAY,
  });
  const claims = createSignedClaims(env.SESSION_SECRET);
  const credential = await claims.sign('access', { sub: userId, ver: 0, sid: sessionId }, FAR_AWAY - FIRST_INSTANT, FIRST_INSTANT);
  return { userId, sessionId, credential, refreshToken };
}
