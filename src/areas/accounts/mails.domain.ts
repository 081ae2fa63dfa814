import type { UnixSeconds } from '../../platform/time/clock.ts';
import { readableTime } from '../../platform/time/readable.ts';

/** A mail without its recipient. Names that people chose for themselves stay out of mails: they could be anything. */
export interface MailText {
  subject: string;
  text: string;
}

const UNEXPECTED = 'If you did not ask for this, ignore this mail: nothing changes by itself.';

function mail(subject: string, ...paragraphs: string[]): MailText {
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

export function verificationMail(appName: string, link: string): MailText {
  return mail(
    `${appName}: verify your e-mail address`,
    `Somebody made an account at ${appName} with this address. To verify it, open this link within 48 hours and enter your password:`,
    link,
    UNEXPECTED,
  );
}

export function resetMail(appName: string, link: string): MailText {
  return mail(
    `${appName}: set a new password`,
    `Open this link within an hour to set a new password for your account at ${appName}:`,
    link,
    UNEXPECTED,
  );
}

export function changeMail(appName: string, link: string): MailText {
  return mail(
    `${appName}: confirm your new e-mail address`,
    `To make this the address of your account at ${appName}, open this link within 48 hours and enter your password:`,
    link,
    UNEXPECTED,
  );
}

export function changedMail(appName: string): MailText {
  return mail(
    `${appName}: your e-mail address was changed`,
    `The account at ${appName} that had this address now has another one, and all its sessions have ended.`,
    'If that was not you, somebody else has access to your account: write to us.',
  );
}

export function passwordChangedMail(appName: string): MailText {
  return mail(
    `${appName}: your password was changed`,
    `The password of your account at ${appName} was changed, and all other sessions have ended.`,
    'If that was not you, set a new password at once: "Forgot password" on the sign-in page.',
  );
}

export function newDeviceMail(appName: string, device: string | null, at: UnixSeconds): MailText {
  return mail(
    `${appName}: sign-in from a new device`,
    `Your account at ${appName} was signed in to from ${device ?? 'a device that says nothing of itself'} on ${readableTime(at)}.`,
    'If that was not you, change your password: it ends every session.',
  );
}
