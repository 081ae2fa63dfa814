import { ApiError } from '../../errors/api-error.ts';
import { type AccessRequest, type Admission, ANONYMOUS, notAuthenticated } from '../policy/admission.ts';
import { readCredential } from '../policy/credentials.ts';
import type { SessionLevel } from '../policy/policy.ts';
import type { SessionCaller, Sessions } from './sessions.ts';

/** Lets requests in by the session of the portal that they carry. */
export interface SessionAdmission {
  /** The session of a request to an endpoint of the portal. Throws 401 and 403. */
  require(level: SessionLevel, request: AccessRequest): Promise<SessionCaller>;
  /** A superuser's session in the place of a token; null when there is no session. Throws 401 when it ended, 403 for others. */
  superuser(request: AccessRequest): Promise<SessionCaller | null>;
  /** For a page: whoever its cookie names, or nobody. */
  page(request: AccessRequest): Promise<Admission>;
}

const notSignedIn = () =>
  new ApiError('not_authenticated', 'sign in to the developer portal first', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createSessionAdmission(sessions: Sessions): SessionAdmission {
  function requireSuperuser(caller: SessionCaller): SessionCaller {
    if (!caller.isSuperuser) throw new ApiError('forbidden', 'this endpoint is for superusers');
    return caller;
  }

  return {
    async require(level, request) {
      const credential = readCredential(request.authorization);
      const caller = credential.kind === 'session' ? await sessions.check(credential.value, request.now) : null;
      if (!caller) throw notSignedIn();
      if (level === 'verified' && !caller.isVerified) {
        throw new ApiError('email_unverified', 'verify the e-mail address of the account first');
      }
      return level === 'superuser' ? requireSuperuser(caller) : caller;
    },

    async superuser(request) {
      const credential = readCredential(request.authorization);
      if (credential.kind !== 'session') return null;
      const caller = await sessions.check(credential.value, request.now);
      if (!caller) throw notAuthenticated();
      return requireSuperuser(caller);
    },

    async page(request) {
      const credential = request.pageCredential();
      const caller = credential === null ? null : await sessions.check(credential, request.now);
      return caller ? { caller } : ANONYMOUS;
    },
  };
}
