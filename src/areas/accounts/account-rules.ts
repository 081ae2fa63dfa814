import { ApiError, badRequest } from '../../platform/errors/api-error.ts';
import { SECONDS_PER_MINUTE } from '../../platform/time/clock.ts';
import { isDisposable } from './email-address.domain.ts';

/** What a request brings beside its input. */
export interface RequestContext {
  now: number;
  /** Public address of the service, for links. */
  baseUrl: string;
  /** Goes on after the answer. */
  later(work: Promise<unknown>): void;
}

export const emailTaken = () => new ApiError('email_taken', 'there is an account with this e-mail address');

export const wrongPassword = () =>
  new ApiError('invalid_credentials', 'wrong e-mail address or password', { headers: { 'WWW-Authenticate': 'Bearer' } });

export const deadLink = () => badRequest('the link is not valid, was used, or is too old');

export const accountLocked = (seconds: number) =>
  new ApiError('account_locked', 'too many failed sign-ins; try again later', { headers: { 'Retry-After': String(seconds) } });

/** The caps of the account or of the recipient have no room: the shortest of their windows is ten minutes. */
export const tooManyMails = () =>
  new ApiError('rate_limited', 'too many mails to this address or from this account; try again later', {
    headers: { 'Retry-After': String(10 * SECONDS_PER_MINUTE) },
  });

/** Throws 400 `disposable_email`. */
export function requireLastingEmail(email: string): void {
  if (isDisposable(email)) throw new ApiError('disposable_email', 'the e-mail address must not be a disposable one');
}
