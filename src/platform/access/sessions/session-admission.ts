import { ApiError } from '../../kit/errors/api-error.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { isRefused } from '../limits/window.ts';
import {
  type AccessContext,
  type Admission,
  type Caller,
  NOT_CHARGED,
  type OwnRead,
  type Refusal,
  refusalOf,
} from '../policy/admission.ts';
import { notAuthenticated, readCredential } from '../policy/credentials.ts';
import { accountRateLimit, type SessionLevel } from '../policy/policy.ts';
import type { SessionCaller } from './sessions.ts';

/** The session of the client of a session endpoint. */
export function sessionOf(caller: Caller): SessionCaller {
  if (caller.kind !== 'session') throw notAuthenticated('not_signed_in');
  return caller;
}

type SessionAdmission = Admission & { caller: SessionCaller };

const notSuperuser = () => new ApiError('forbidden', 'a superuser is required');

/** Throws 403 for a superuser without a second factor while the setting requires one. */
export function requireSuperusersFactor(caller: SessionCaller, settings: Settings): void {
  const error = missingFactor(caller, settings);
  if (error) throw error;
}

function missingFactor({ isSuperuser, hasSecondFactor }: SessionCaller, settings: Settings): ApiError | null {
  if (!isSuperuser || hasSecondFactor || !settings.superuserSecondFactorRequired) return null;
  return new ApiError('second_factor_required', 'superusers must set up a second factor', {
    hint: 'set up a second factor on the account page of the developer portal',
  });
}

/** The session of a credential; null when it has ended. Skips the lookup when the account is over its limit. */
async function lookUp(credential: string, bucketPrefix: string, context: AccessContext): Promise<SessionAdmission | Refusal | null> {
  const { services, settings, now } = context;
  const claims = await services.sessions.read(credential, now);
  if (!claims) return null;
  const cached = services.limiter.cachedRefusal(bucketPrefix + claims.userId, services.rateLimitsOf(settings).of(accountRateLimit), now);
  if (cached) return refusalOf(cached, now);
  const own = context.ownRead?.({ userId: claims.userId, sessionId: claims.sessionId, now }).then(
    (data): OwnRead => ({ data }),
    (error: unknown): OwnRead => ({ error }),
  );
  const caller = await services.sessions.find(claims, now);
  if (!caller) return null;
  return own ? { ...NOT_CHARGED, caller, own: await own } : { ...NOT_CHARGED, caller };
}

/** Like `lookUp`, counted for the account. */
async function lookUpAndCharge(credential: string, context: AccessContext): Promise<SessionAdmission | Refusal | null> {
  const { services, settings, now } = context;
  const found = await lookUp(credential, 'session:', context);
  if (!found || 'error' in found) return found;
  const charge = await services.limiter.charge(`session:${found.caller.userId}`, services.rateLimitsOf(settings).of(accountRateLimit), now);
  return refusalOf(charge, now) ?? { ...found, charges: [charge] };
}

/** The session of a request to a portal endpoint, counted for its account. Throws 401. */
export async function requireSession(level: SessionLevel, context: AccessContext): Promise<SessionAdmission | Refusal> {
  const credential = readCredential(context.authorization);
  const found = credential.kind === 'session' ? await lookUpAndCharge(credential.value, context) : null;
  if (!found) throw notAuthenticated('not_signed_in');
  if ('error' in found) return found;
  const error = missingLevel(level, found.caller, context.settings);
  return error ? { charges: found.charges, tokenId: null, error } : found;
}

function missingLevel(level: SessionLevel, caller: SessionCaller, settings: Settings): ApiError | null {
  if (level === 'verified' && !caller.isVerified) return new ApiError('email_unverified', 'email address of the account is not verified');
  if (level !== 'superuser') return null;
  return caller.isSuperuser ? missingFactor(caller, settings) : notSuperuser();
}

/**
 * The session of a superuser, not counted; null without a session. Throws 401 when the session has ended and 403 for other accounts;
 * after too many of these 403s the refusal is a 429.
 */
export async function findSuperuser(context: AccessContext): Promise<SessionAdmission | Refusal | null> {
  const credential = readCredential(context.authorization);
  if (credential.kind !== 'session') return null;
  const found = await lookUp(credential.value, 'session-forbidden:', context);
  if (!found) throw notAuthenticated('session_ended');
  if ('error' in found) return found;
  const { caller } = found;
  const { services, settings, now } = context;
  if (caller.isSuperuser) {
    requireSuperusersFactor(caller, settings);
    return found;
  }
  // Limits the lookups of an account without access. A 403 has no rate limit headers.
  const charge = await services.limiter.charge(
    `session-forbidden:${caller.userId}`,
    services.rateLimitsOf(settings).of(accountRateLimit),
    now,
  );
  if (isRefused(charge)) return refusalOf(charge, now);
  throw notSuperuser();
}

/** For a page: the session of its cookie, counted for the account; null without one, which reads no storage. */
export async function findPageSession(context: AccessContext): Promise<Admission | Refusal | null> {
  const credential = context.pageCredential();
  const found = credential === null ? null : await lookUpAndCharge(credential, context);
  if (!found) return null;
  return 'error' in found ? found : { caller: found.caller, charges: found.charges, tokenId: null };
}
