import type { Caller } from '../policy/admission.ts';
import { notAuthenticated } from '../policy/credentials.ts';
import type { SessionCaller } from './sessions.ts';

/** The session of the client of a session endpoint. */
export function sessionOf(caller: Caller): SessionCaller {
  if (caller.kind !== 'session') throw notAuthenticated('not_signed_in');
  return caller;
}
