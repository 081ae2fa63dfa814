import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';

/** A mail about a token. The token name is chosen by the user and sent only to the owner. */
interface TokenMail {
  subject: string;
  text: string;
}

interface NamedToken {
  name: string;
  prefix: string;
}

const NOT_YOU_NOTICE = 'If this was not you, revoke the token and change your password.';

function mail(subject: string, ...paragraphs: string[]): TokenMail {
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

const titleOf = ({ name, prefix }: NamedToken) => `"${name}" (${prefix}…)`;

export function createdMail(appName: string, token: NamedToken): TokenMail {
  return mail(`${appName}: a new API token`, `The API token ${titleOf(token)} was created with your account.`, NOT_YOU_NOTICE);
}

/** `previousUntil`: last second in which the old secret works; null if it stopped working. */
export function rotatedMail(appName: string, token: NamedToken, previousUntil: UnixSeconds | null): TokenMail {
  const oldSecret =
    previousUntil === null ? 'The old secret no longer works.' : `The old secret works until ${readableTime(previousUntil)}.`;
  return mail(`${appName}: an API token was rotated`, `The API token ${titleOf(token)} has a new secret. ${oldSecret}`, NOT_YOU_NOTICE);
}

export function expiringMail(
  appName: string,
  token: NamedToken & { expiresAt: UnixSeconds },
  portalUrl: string | null,
  now: UnixSeconds,
): TokenMail {
  const days = Math.ceil((token.expiresAt - now) / SECONDS_PER_DAY);
  return mail(
    `${appName}: an API token expires ${days <= 1 ? 'within a day' : `in ${days} days`}`,
    `The API token ${titleOf(token)} expires on ${readableTime(token.expiresAt)}. Requests with it are rejected from then on.`,
    'Rotating a token does not extend it: create a new token and replace the old one before then.',
    ...(portalUrl === null ? [] : [portalUrl]),
  );
}
