const MAX_LOCATION_LENGTH = 500;

/** The location of a finding for a mail: an http(s) URL of limited length, otherwise null. */
function locationOf(url: string | null): string | null {
  return url !== null && url.length <= MAX_LOCATION_LENGTH && /^https?:\/\/[^\s<>"]+$/.test(url) ? url : null;
}

/** Mail to the owner of an exposed token. `isCurrent` false: the secret before the last rotation was exposed. The token name is chosen by the user and sent only to the owner. */
export function exposedMail(
  appName: string,
  token: { name: string; prefix: string },
  url: string | null,
  isCurrent: boolean,
): { subject: string; text: string } {
  const location = locationOf(url);
  const what = isCurrent ? 'The API token' : 'The old secret of the API token';
  const paragraphs = [
    `${what} "${token.name}" (${token.prefix}…) was found publicly${location === null ? '.' : ':'}`,
    ...(location === null ? [] : [location]),
    isCurrent
      ? 'It was revoked and no longer works. Create a new token and keep it out of public code: a published secret stays known even after it is deleted.'
      : 'It no longer works; the current secret still does. Keep it out of public code: a published secret stays known even after it is deleted.',
    'Check the usage of the token in the developer portal for requests you did not make.',
  ];
  const subject = isCurrent ? 'an API token was exposed and is revoked' : 'the old secret of an API token was exposed';
  return { subject: `${appName}: ${subject}`, text: `${paragraphs.join('\n\n')}\n` };
}
