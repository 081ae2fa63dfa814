const MAX_PLACE_LENGTH = 500;

/** The location to name in a mail: an http(s) URL of limited length, otherwise null. */
function placeOf(url: string | null): string | null {
  return url !== null && url.length <= MAX_PLACE_LENGTH && /^https?:\/\/[^\s<>"]+$/.test(url) ? url : null;
}

/** Mail to the owner of a published token. The token name is user-chosen and sent only to its owner. */
export function exposedMail(
  appName: string,
  token: { name: string; prefix: string },
  url: string | null,
): { subject: string; text: string } {
  const place = placeOf(url);
  const paragraphs = [
    `The API token "${token.name}" (${token.prefix}…) was found publicly${place === null ? '.' : ':'}`,
    ...(place === null ? [] : [place]),
    'It was revoked and no longer works. Create a new token and keep it out of public code: a published secret stays known even after it is deleted.',
    'Check the usage of the token in the developer portal for requests you did not make.',
  ];
  return { subject: `${appName}: an API token was exposed and is revoked`, text: `${paragraphs.join('\n\n')}\n` };
}
