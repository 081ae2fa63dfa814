import { ApiError } from '../../errors/api-error.ts';
import type { RateLimiter } from '../../rate-limits/rate-limiter.ts';
import { type Budget, isRefused } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type AccessRequest, type Admission, ANONYMOUS, requireBudget } from '../policy/admission.ts';
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
  require(level: SessionLevel, request: AccessRequest): Promise<SessionCaller>;
  /**
   * The session of a superuser, not counted; null without a session. Throws 401 when the session has ended, 403 for other accounts,
   * and 429 after too many of these 403s.
   */
  superuser(request: AccessRequest): Promise<SessionCaller | null>;
  /** For a page: the session of its cookie, counted for the account, or an anonymous client. Throws 429. */
  page(request: AccessRequest): Promise<Admission>;
}

const notSuperuser = () => new ApiError('forbidden', 'a superuser is required');

export function createSessionAdmission({ sessions, limiter, budgetOf }: SessionAdmissionDeps): SessionAdmission {
  /** The session of a credential, or null. Skips the lookup when the account is over its limit. */
  async function lookUp(credential: string, request: AccessRequest, bucketPrefix: string): Promise<SessionCaller | null> {
    const claims = await sessions.read(credential, request.now);
    if (!claims) return null;
    const refusal = limiter.cachedRefusal(bucketPrefix + claims.userId, budgetOf(request.settings), request.now);
    if (refusal) requireBudget(refusal, request);
    return sessions.find(claims, request.now);
  }

  async function lookUpAndCharge(credential: string, request: AccessRequest): Promise<SessionCaller | null> {
    const caller = await lookUp(credential, request, 'session:');
    if (caller) requireBudget(await limiter.charge(`session:${caller.userId}`, budgetOf(request.settings), request.now), request);
    return caller;
  }

  return {
    async require(level, request) {
      const credential = readCredential(request.authorization);
      const caller = credential.kind === 'session' ? await lookUpAndCharge(credential.value, request) : null;
      if (!caller) throw notAuthenticated('not_signed_in');
      if (level === 'verified' && !caller.isVerified) {
        throw new ApiError('email_unverified', 'email address of the account is not verified');
      }
      if (level === 'superuser' && !caller.isSuperuser) throw notSuperuser();
      return caller;
    },

    async superuser(request) {
      const credential = readCredential(request.authorization);
      if (credential.kind !== 'session') return null;
      const caller = await lookUp(credential.value, request, 'session-forbidden:');
      if (!caller) throw notAuthenticated('session_ended');
      if (caller.isSuperuser) return caller;
      // Limits the lookups of an account without access. A 403 has no rate limit headers.
      const charge = await limiter.charge(`session-forbidden:${caller.userId}`, budgetOf(request.settings), request.now);
      if (isRefused(charge)) requireBudget(charge, request);
      throw notSuperuser();
    },

    async page(request) {
      const credential = request.pageCredential();
      const caller = credential === null ? null : await lookUpAndCharge(credential, request);
      return caller ? { caller } : ANONYMOUS;
    },
  };
}
