import type { Scope } from '../../src/platform/access/policy/scopes.ts';
import { createTokenRow } from '../../src/platform/access/tokens/token-format.ts';
import type { Method } from '../../src/platform/http/pipeline/define-route.ts';
import { SCOPES } from '../support/declarations.ts';
import { oncePerFile } from '../support/once-per-file.ts';
import { PASSWORD_HASH } from '../support/passwords.ts';
import { createProjectKey, type ProjectKeyOptions } from '../support/projects.ts';
import { bearer, FIRST_INSTANT, HOME_ADDRESS } from '../support/requests.ts';
import { createSession, FAR_AWAY } from '../support/sessions.ts';
import { createAccount, createToken, TOKEN_FORMAT } from '../support/tokens.ts';
import type { CredentialName } from './access-table.data.ts';

/** Network on the allowlist of tokens with an allowlist. */
const ALLOWED_NETWORK = '10.0.0.0/8';
const OUTSIDE_ADDRESS = '192.0.2.77';

let addressCount = 0;

/** A new address for each unknown token, because look-ups are limited per address after 20 unknown tokens. */
function newAddress(): string {
  addressCount += 1;
  return `198.51.${100 + (addressCount >> 8)}.${addressCount & 255}`;
}

/** A credential in the form of request data. */
export interface Credential {
  authorization: string | null;
  address: string;
  /** Account of a session. */
  userId?: string;
  /** Whether the token is stored and valid, so that its rate limits can be read. */
  isValidToken: boolean;
}

type Maker = (scope: Scope) => Promise<Omit<Credential, 'address'> & { address?: string }>;

const fixed =
  (authorization: string | null): Maker =>
  async () => ({ authorization, isValidToken: false });

const invalid = (options: Parameters<typeof createToken>[0]): Maker => {
  return async () => ({ authorization: bearer(await createToken(options)), isValidToken: false });
};

function valid(maskOf: (scope: Scope) => number, options: { allowedIps?: string[]; isSuperuser?: boolean; address?: string } = {}): Maker {
  return async (scope) => {
    const { allowedIps = [], isSuperuser = false, address = HOME_ADDRESS } = options;
    const userId = await createAccount({ isSuperuser });
    return { authorization: bearer(await createToken({ userId, scopes: maskOf(scope), allowedIps })), isValidToken: true, address };
  };
}

/** A session that is valid at every clock of the tests. */
function sessionOf(options: { isSuperuser?: boolean; isVerified?: boolean }): Maker {
  return async () => {
    const { userId, credential } = await createSession({ ...options, row: { passwordHash: PASSWORD_HASH } });
    return { authorization: bearer(credential), isValidToken: false, userId };
  };
}

let lastAccount = '';

/** Account of the last created session. Data that a request needs must belong to this account. */
export const accountOfSession = () => lastAccount;

const bitOf = (scope: Scope) => SCOPES.bitOf(scope);
const allButBitOf = (scope: Scope) => SCOPES.allBits & ~bitOf(scope);
const everyScope = () => 0;

const newSecret = () =>
  createTokenRow({ userId: 'nobody', name: 'test', scopes: 0, allowedIps: [], expiresAt: null, now: FIRST_INSTANT, format: TOKEN_FORMAT })
    .secret;

/** Changes the last character of the checksum. */
function withWrongChecksum(secret: string): string {
  return secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
}

const allowedIps = [ALLOWED_NETWORK];
const wrongIp = { allowedIps, address: OUTSIDE_ADDRESS };

/** A key of a new project; its account is that of `accountOfSession`. */
function projectKey({ address = HOME_ADDRESS, ...options }: ProjectKeyOptions & { address?: string }): Maker {
  return async () => {
    const { secret, userId } = await createProjectKey({ expiresAt: FAR_AWAY, ...options });
    return { authorization: bearer(secret), isValidToken: false, userId, address };
  };
}

const MAKERS: Readonly<Record<CredentialName, Maker>> = {
  none: fixed(null),
  other_scheme: fixed('Basic dXNlcjpwYXNzd29yZA=='),
  empty_bearer: fixed('Bearer '),
  malformed: fixed('Bearer not-a-token'),
  bad_checksum: async () => ({ authorization: bearer(withWrongChecksum(newSecret())), isValidToken: false }),
  unknown: async () => ({ authorization: bearer(newSecret()), isValidToken: false, address: newAddress() }),
  revoked: invalid({ row: { revoked: true, revokedAt: FIRST_INSTANT - 1 } }),
  expired: invalid({ expiresAt: FIRST_INSTANT - 1 }),
  owner_inactive: async () => ({
    authorization: bearer(await createToken({ userId: await createAccount({ isActive: false }) })),
    isValidToken: false,
  }),
  owner_deleted: invalid({ userId: 'no-such-account' }),
  no_scope_ip_ok: valid(allButBitOf, { allowedIps }),
  no_scope_ip_wrong: valid(allButBitOf, wrongIp),
  scope_ip_ok: valid(bitOf, { allowedIps }),
  scope_ip_wrong: valid(bitOf, wrongIp),
  every_scope_any_ip: valid(everyScope),
  superuser_ip_ok: valid(everyScope, { allowedIps, isSuperuser: true }),
  superuser_ip_wrong: valid(everyScope, { ...wrongIp, isSuperuser: true }),
  superuser_without_scope: valid(allButBitOf, { allowedIps, isSuperuser: true }),
  session_invalid: fixed('Bearer aaaa.bbbb.cccc'),
  session_of_unverified_user: sessionOf({ isVerified: false }),
  session_of_ordinary_user: sessionOf({}),
  session_of_superuser: sessionOf({ isSuperuser: true }),
  project_key: projectKey({}),
  project_key_ip_wrong: projectKey({ allowedIps, address: OUTSIDE_ADDRESS }),
  project_key_ended: projectKey({ expiresAt: FIRST_INSTANT - 1 }),
};

const isSession = (name: CredentialName) => name.startsWith('session_of_');

/** The storage of a test file has the credentials of that file only. */
const made = oncePerFile(() => new Map<string, Promise<Credential>>());

/**
 * A credential of the kind for an endpoint of the scope. Credentials are created once and cached, except that every write with a
 * session gets a new session, because many writes end the session or can be done only once.
 */
export async function credentialFor(name: CredentialName, scope: Scope, method: Method = 'get'): Promise<Credential> {
  const make = () => MAKERS[name](scope).then((credential) => ({ address: HOME_ADDRESS, ...credential }));
  const key = `${name} ${scope}`;
  const credential = isSession(name) && method !== 'get' ? make() : (made().get(key) ?? make());
  if (method === 'get' || !isSession(name)) made().set(key, credential);
  lastAccount = (await credential).userId ?? lastAccount;
  return credential;
}
