import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../time/clock.ts';

/**
 * Kinds of mail. `reset`, `verification` and `address-change` contain a link and can be caused by strangers. A `notice` informs
 * the owner of an account, an `alert` requires a reaction; `merged` combines several of both.
 */
export const MAIL_KINDS = ['notice', 'alert', 'merged', 'reset', 'verification', 'address-change'] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** At most `max` mails of these kinds to one recipient in any `seconds`. */
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

/** Shared by all kinds. It leaves room for one notice, one alert and one reset: at most two of them are still to come. */
const SHARED = inShortWindow(MAIL_KINDS, 3);
const SIGN_UP_CAPS = [SHARED, inShortWindow(SIGN_UPS, 2), inDay(SIGN_UPS, 4)];

/** The first of some kinds in a short window has room however many other mails there were. */
const firstOrShared = (kinds: readonly MailKind[], cap: MailCap) => [
  [inShortWindow(kinds, 1), cap],
  [SHARED, cap],
];

/**
 * A mail is sent while all caps of one of its alternatives have room. Notices, alerts and resets have shares of their own, so
 * no stranger uses up those of a victim. One recipient gets at most 5 mails in 10 minutes: 3 of any kind, of which at most two
 * verify addresses, and then the first notice, alert or reset. In one day it gets at most 5 notices, 3 alerts, 8 merged mails
 * and 4 links that verify an address, together 20. One password reset per hour is added, as it always has room.
 */
export const RECIPIENT_CAPS: Readonly<Record<MailKind, readonly (readonly MailCap[])[]>> = {
  notice: firstOrShared(NOTICES, inDay(['notice'], 5)),
  alert: firstOrShared(['alert'], inDay(['alert'], 3)),
  merged: firstOrShared(NOTICES, { kinds: ['merged'], seconds: 3 * SECONDS_PER_HOUR, max: 1 }),
  // Its link is valid for one hour, so a client over the cap still has a working link.
  reset: [[{ kinds: ['reset'], seconds: SECONDS_PER_HOUR, max: 1 }]],
  verification: [SIGN_UP_CAPS],
  // Lower than for verifications: a new account gets a link, however many others changed to the address.
  'address-change': [[...SIGN_UP_CAPS, inShortWindow(['address-change'], 1), inDay(['address-change'], 2)]],
};

/** Mails to other accounts' addresses that one account causes in any 24 hours; with the 16 to its own address at most 20. */
export const MAX_CAUSED_A_DAY = 4;

/** Held mails with one subject for one recipient that keep their text; more are only counted. */
export const MAX_HELD_PER_SUBJECT = 20;
