import { env } from 'cloudflare:workers';
import { hashesOf, newRefreshToken } from '../../src/areas/accounts/session.service.ts';
import { createSignedClaims } from '../../src/platform/access/sessions/sessions.ts';
import { sessions } from '../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { bearer, call, type Fetch, FIRST_INSTANT } from './requests.ts';
import { type AccountOptions, insertAccount } from './tokens.ts';

/** After every clock of the tests. */
export const FAR_AWAY = 4_102_444_800;

const db = createDatabase(env.DB);
const claims = createSignedClaims(env.SESSION_SECRET);

/** Creates an account and a session credential that is valid at any time after `FIRST_INSTANT`. */
export async function createSession(options: AccountOptions & { userId?: string } = {}) {
  const userId = options.userId ?? crypto.randomUUID();
  const sessionId = crypto.randomUUID();
  const refreshToken = newRefreshToken();
  const hashes = hashesOf(refreshToken);
  if (!hashes) throw new Error('a new refresh token is malformed');
  const insertion = db.insert(sessions).values({
    id: sessionId,
    userId,
    ...hashes,
    refreshedAt: FIRST_INSTANT,
    createdAt: FIRST_INSTANT,
    lastUsedAt: FIRST_INSTANT,
    expiresAt: FAR_AWAY,
  });
  await (options.userId === undefined ? db.batch([insertAccount(userId, options), insertion]) : insertion);
  const credential = await claims.sign('access', { sub: userId, ver: 0, sid: sessionId }, FAR_AWAY - FIRST_INSTANT, FIRST_INSTANT);
  return { userId, sessionId, credential, refreshToken };
}

/** Creates an account and a function that sends its requests at `FIRST_INSTANT`. Bodies are JSON; null: empty. */
export async function signIn(fetch?: Fetch, options: Parameters<typeof createSession>[0] = {}) {
  const session = await createSession(options);
  async function send(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) {
    const authorization = bearer(session.credential);
    const response = await call(path, { method, authorization, now: FIRST_INSTANT, json, headers }, fetch);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
    return { ...response, body: (response.text === '' ? null : JSON.parse(response.text)) as any };
  }
  return { ...session, send };
}
