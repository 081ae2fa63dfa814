import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';

/** A mail without its recipient. Mails contain no user-chosen names, which could contain any text. */
interface MailText {
  subject: string;
  text: string;
}

const UNEXPECTED = 'If you did not request this, ignore this mail. Nothing will change.';

function mail(subject: string, ...paragraphs: string[]): MailText {
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

export function verificationMail(appName: string, link: string): MailText {
  return mail(
    `${appName}: verify your email address`,
    `An account was created at ${appName} with this email address. To verify the address, open this link within 48 hours and enter your password:`,
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
    `${appName}: confirm your new email address`,
    `To make this the address of your account at ${appName}, open this link within 48 hours and enter your password:`,
    link,
    UNEXPECTED,
  );
}

export function changedMail(appName: string): MailText {
  return mail(
    `${appName}: your email address was changed`,
    `The email address of your account at ${appName} was changed, and all sessions were ended.`,
    'If this was not you, someone else has access to your account. Contact us.',
  );
}

export function passwordChangedMail(appName: string): MailText {
  return mail(
    `${appName}: your password was changed`,
    `The password of your account at ${appName} was changed, and all other sessions were ended.`,
    'If this was not you, reset your password now: choose "Forgot password" on the sign-in page.',
  );
}

export function deviceLinkMail(appName: string, link: string): MailText {
  return mail(
    `${appName}: confirm your device`,
    `Someone signed in to your account at ${appName} with the right password from a new device, after many failed sign-ins. If this was you, open this link on that device within an hour and sign in again:`,
    link,
    'If this was not you, do not open the link and change your password.',
  );
}

export function secondFactorMail(appName: string, change: 'enabled' | 'disabled'): MailText {
  return mail(
    `${appName}: second factor ${change}`,
    change === 'enabled'
      ? `Your account at ${appName} now requires a code at sign-in. All other sessions were ended.`
      : `The second factor of your account at ${appName} was removed. Sign-ins no longer require a code.`,
    'If this was not you, reset your password now: choose "Forgot password" on the sign-in page.',
  );
}

export function recoveryCodeMail(appName: string): MailText {
  return mail(
    `${appName}: a recovery code was used`,
    `A recovery code of your account at ${appName} was used instead of a code of the authenticator app. It cannot be used again.`,
    'If this was not you, change your password and replace the recovery codes on the account page.',
  );
}

export function newDeviceMail(appName: string, device: string | null, at: UnixSeconds): MailText {
  return mail(
    `${appName}: sign-in from a new device`,
    `Your account at ${appName} was signed in to from ${device ?? 'an unknown device'} on ${readableTime(at)}.`,
    'If this was not you, change your password. That ends every session.',
  );
}

/** `reason`: the words of a superuser. */
export function suspendedMail(appName: string, reason: string): MailText {
  return mail(
    `${appName}: your account was suspended`,
    `Your account at ${appName} was suspended. Its sessions were ended, and its tokens, project keys and webhooks stopped. Nothing was deleted.`,
    `Reason: ${reason}`,
    'If you disagree, or want the account deleted, contact us.',
  );
}

export function suspensionEndedMail(appName: string): MailText {
  return mail(
    `${appName}: your account is active again`,
    `The suspension of your account at ${appName} ended. Its tokens, project keys and webhooks work again. Sign in to use the portal.`,
  );
}
