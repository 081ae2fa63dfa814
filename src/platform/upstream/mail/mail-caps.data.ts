import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';

/**
 * Kinds of mail. `reset`, `verification` and `address-change` contain a link, and other people than the recipient can cause them. A
 * `notice` informs the owner of an account, an `alert` requires a reaction, `merged` combines several of both.
 */
export const MAIL_KINDS = ['notice', 'alert', 'merged', 'reset', 'verification', 'address-change'] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** At most `max` mails of these kinds to one recipient in any period of `seconds`. */
export interface MailCap {
  kinds: readonly MailKind[];
  seconds: number;
  max: number;
}

const SHORT_WINDOW_SECONDS = 10 * SECONDS_PER_MINUTE;
const NOTICES: readonly MailKind[] = ['notice', 'merged'];
const SIGN_UPS: readonly MailKind[] = ['verification', 'address-change'];

const inShortWindow = (kinds: readonly MailKind[], max: number): MailCap => ({ kinds, seconds: SHORT_WINDOW_SECONDS, max });
const inDay = (kinds: readonly MailKind[], max: number): MailCap => ({ kinds, seconds: SECONDS_PER_DAY, max });

/** Cap for all kinds together. The first notice, alert and reset have their own caps, which allow at most two more mails. */
const SHARED = inShortWindow(MAIL_KINDS, 3);
const SIGN_UP_CAPS = [SHARED, inShortWindow(SIGN_UPS, 2), inDay(SIGN_UPS, 4)];

/** Caps that always admit the first mail of these kinds in a short window; further ones share a cap with all kinds. */
const firstOrShared = (kinds: readonly MailKind[], cap: MailCap) => [
  [inShortWindow(kinds, 1), cap],
  [SHARED, cap],
];

/**
 * Caps per kind: a mail is sent while all caps of one alternative have room. Notices, alerts and resets have separate caps, which an
 * attacker cannot use up. One recipient gets at most 5 mails in 10 minutes: 3 of any kind, at most two of them for address
 * verification, and the first notice, alert or reset. Per day: at most 5 notices, 3 alerts, 8 merged mails and 4 address
 * verifications, together 20. In addition, one password reset per hour.
 */
export const RECIPIENT_CAPS: Readonly<Record<MailKind, readonly (readonly MailCap[])[]>> = {
  notice: firstOrShared(NOTICES, inDay(['notice'], 5)),
  alert: firstOrShared(['alert'], inDay(['alert'], 3)),
  merged: firstOrShared(NOTICES, { kinds: ['merged'], seconds: 3 * SECONDS_PER_HOUR, max: 1 }),
  // The link is valid for one hour, so a recipient over the cap still has a valid link.
  reset: [[{ kinds: ['reset'], seconds: SECONDS_PER_HOUR, max: 1 }]],
  verification: [SIGN_UP_CAPS],
  // Lower than for verifications: address changes by others must not keep a new account from getting its link.
  'address-change': [[...SIGN_UP_CAPS, inShortWindow(['address-change'], 1), inDay(['address-change'], 2)]],
};

/** Maximum number of mails in 24 hours that one account causes to other addresses. With 16 to its own address at most 20. */
export const MAX_CAUSED_A_DAY = 4;

/** Maximum number of held mails per subject and recipient that are stored with their text. Further ones are only counted. */
export const MAX_HELD_PER_SUBJECT = 20;
