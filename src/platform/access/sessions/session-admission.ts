import { ApiError } from '../../errors/api-error.ts';
import type { RateLimiter } from '../../rate-limits/rate-limiter.ts';
import { type Budget, isRefused } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type AccessRequest, type Admission, ANONYMOUS, type OwnRead, requireBudget } from '../policy/admission.ts';
import { readCredential } from '../policy/credentials.ts';
import type { SessionLevel } from '../policy/policy.ts';
import { notAuthenticated } from '../policy/unauthenticated.ts';
import type { SessionCaller, Sessions } from './sessions.ts';

export interface SessionAdmissionDeps {
  sessions: Sessions;
  limiter: RateLimiter;
  /** Request limit of an account in its sessions. */
  budgetOf(settings: Settings): Budget;
}

/** Admits requests with a portal session. */
export interface SessionAdmission {
  /** The session of a request to a portal endpoint, counted for its account. Throws 401, 403 or 429. */
  require(level: SessionLevel, request: AccessRequest): Promise<{ caller: SessionCaller; own?: OwnRead }>;
  /**
   * The session of a superuser, not counted; null without a session. Throws 401 when the session has ended, 403 for other accounts,
   * and 429 after too many of these 403s.
   */
  superuser(request: AccessRequest): Promise<SessionCaller | null>;
  /** For a page: the session of its cookie, counted for the account, or an anonymous client. Throws 429. */
  page(request: AccessRequest): Promise<Admission>;
}

const notSuperuser = () => new ApiError('forbidden', 'a superuser is required');

/** Throws 403 for a superuser without a second factor while the setting requires one. */
export function requireSuperusersFactor({ isSuperuser, hasSecondFactor }: SessionCaller, settings: Settings): void {
  if (!isSuperuser || hasSecondFactor || !settings.superuserSecondFactorRequired) return;
  throw new ApiError('second_factor_required', 'superusers must set up a second factor', {
    hint: 'set up a second factor on the account page of the developer portal',
  });
}

export function createSessionAdmission({ sessions, limiter, budgetOf }: SessionAdmissionDeps): SessionAdmission {
  /** The session of a credential, or null. Skips the lookup when the account is over its limit. */
  async function lookUp(
    credential: string,
    request: AccessRequest,
    bucketPrefix: string,
  ): Promise<{ caller: SessionCaller; own?: OwnRead } | null> {
    const claims = await sessions.read(credential, request.now);
    if (!claims) return null;
    const refusal = limiter.cachedRefusal(bucketPrefix + claims.userId, budgetOf(request.settings), request.now);
    if (refusal) requireBudget(refusal, request);
    const own = request.ownRead?.({ userId: claims.userId, sessionId: claims.sessionId, now: request.now }).then(
      (data): OwnRead => ({ data }),
      (error: unknown): OwnRead => ({ error }),
    );
    const caller = await sessions.find(claims, request.now);
    if (!caller) return null;
    return own ? { caller, own: await own } : { caller };
  }

  async function lookUpAndCharge(credential: string, request: AccessRequest) {
    const found = await lookUp(credential, request, 'session:');
    if (found) requireBudget(await limiter.charge(`session:${found.caller.userId}`, budgetOf(request.settings), request.now), request);
    return found;
  }

  return {
    async require(level, request) {
      const credential = readCredential(request.authorization);
      const found = credential.kind === 'session' ? await lookUpAndCharge(credential.value, request) : null;
      if (!found) throw notAuthenticated('not_signed_in');
      const { caller } = found;
      if (level === 'verified' && !caller.isVerified) {
        throw new ApiError('email_unverified', 'email address of the account is not verified');
      }
      if (level === 'superuser' && !caller.isSuperuser) throw notSuperuser();
      if (level === 'superuser') requireSuperusersFactor(caller, request.settings);
      return found;
    },

    async superuser(request) {
      const credential = readCredential(request.authorization);
      if (credential.kind !== 'session') return null;
      const found = await lookUp(credential.value, request, 'session-forbidden:');
      if (!found) throw notAuthenticated('session_ended');
      const { caller } = found;
      if (caller.isSuperuser) {
        requireSuperusersFactor(caller, request.settings);
        return caller;
      }
      // Limits the lookups of an account without access. A 403 has no rate limit headers.
      const charge = await limiter.charge(`session-forbidden:${caller.userId}`, budgetOf(request.settings), request.now);
      if (isRefused(charge)) requireBudget(charge, request);
      throw notSuperuser();
    },

    async page(request) {
      const credential = request.pageCredential();
      const found = credential === null ? null : await lookUpAndCharge(credential, request);
      return found ? { caller: found.caller } : ANONYMOUS;
    },
  };
}
