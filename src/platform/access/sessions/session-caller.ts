import { ApiError } from '../../errors/api-error.ts';
import type { Caller } from '../policy/access-control.ts';
import type { SessionCaller } from './sessions.ts';

/** The session of the client of a session endpoint. */
export function sessionOf(caller: Caller): SessionCaller {
  if (caller.kind !== 'session') throw new ApiError('not_authenticated', 'sign in first', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return caller;
}
