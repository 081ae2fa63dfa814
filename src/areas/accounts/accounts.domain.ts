import { ApiError, badRequest } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { MAX_KNOWN_DEVICES } from './accounts.data.ts';
import { DISPOSABLE_DOMAINS } from './disposable-domains.data.ts';

/** Request context besides the input. */
export interface RequestContext {
  now: number;
  /** Public URL of the service, for links. */
  baseUrl: string;
  /** Runs a task after the response (`waitUntil`). */
  waitUntil(work: Promise<unknown>): void;
}

/** The client of a sign-in. */
export interface SignInClient {
  /** Label of browser and operating system. */
  label: string | null;
  /** Counter key of its address. */
  address: string;
  /** Value of the cookie of a device that has signed in. */
  cookie: string | null;
}

export const emailTakenError = () => new ApiError('email_taken', 'an account with this email address already exists');

export const wrongPasswordError = () =>
  new ApiError('invalid_credentials', 'wrong email address or password', { headers: { 'WWW-Authenticate': 'Bearer' } });

export const invalidLinkError = () => badRequest('the link is invalid, already used or expired');

/** Equal for right and wrong passwords, and for addresses without an account. */
export const deviceUnconfirmedError = () =>
  new ApiError(
    'device_unconfirmed',
    'too many failed sign-ins to this account: a new device must be confirmed; if the password was right, a mail with a link was sent',
  );

export const accountLockedError = (seconds: number) =>
  new ApiError('account_locked', 'too many failed sign-ins; try again later', { headers: { 'Retry-After': String(seconds) } });

/** The account can no longer be used, but not all of its data is deleted. */
export const pendingDeletionError = () =>
  new ApiError('service_unavailable', 'the account is closed but not all of its data is deleted yet', {
    hint: 'the service deletes the rest as soon as possible; do not repeat the request',
    details: { pending: true },
  });

/** A mail cap of the account or recipient is reached. The shortest cap window is ten minutes. */
export const tooManyMailsError = () =>
  new ApiError('rate_limited', 'too many mails to this address or from this account; try again later', {
    headers: { 'Retry-After': String(10 * SECONDS_PER_MINUTE) },
  });

/** Throws 400 `disposable_email`. */
export function requirePermanentEmail(email: string): void {
  if (isDisposable(email)) throw new ApiError('disposable_email', 'disposable email addresses are not accepted');
}

/** Normalizes an email address for storage and comparison. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether the domain of a normalized address, or a parent domain, is disposable. */
export function isDisposable(email: string): boolean {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => DISPOSABLE_DOMAINS.has(labels.slice(index).join('.')));
}

/** Label such as `Firefox on Windows`; null when unknown. Without versions, because a browser update is not a new device. */
export function deviceLabel({ client, os }: { client: string | null; os: string | null }): string | null {
  const browser = client?.replace(/ \d+$/, '') ?? null;
  const system = os?.replace(/ [\d/.]+$/, '') ?? null;
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
}

/** Known devices after a sign-in, and whether to notify the owner. */
export function rememberDevice(known: readonly string[], device: string | null): { known: string[]; isNew: boolean } {
  const label = device ?? 'an unknown device';
  if (known.includes(label)) return { known: [...known], isNew: false };
  // No notification for the first sign-in, directly after sign-up.
  return { known: [...known, label].slice(-MAX_KNOWN_DEVICES), isNew: known.length > 0 };
}
