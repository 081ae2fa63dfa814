const MAX_PLACE_LENGTH = 500;

/** The place as it may be named in a mail: an address of the web of some length, else none. */
function placeOf(url: string | null): string | null {
  return url !== null && url.length <= MAX_PLACE_LENGTH && /^https?:\/\/[^\s<>"]+$/.test(url) ? url : null;
}

/** Tells the owner of a token that it was found in public. The name is the owner's own, and goes to the owner alone. */
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
