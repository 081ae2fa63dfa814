/** Image host of the platform; subdomains are allowed too. */
const IMAGE_HOST = 'hdslb.com';

/** Parses an image URL of the platform; null for other texts. */
export function parseVideosBImageUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && isVideosBImage(url) ? url : null;
}

/** Whether a URL is an image of the platform. Redirects are checked too. */
export function isVideosBImage({ protocol, hostname, port, username, password }: URL): boolean {
  const isHost = hostname === IMAGE_HOST || hostname.endsWith(`.${IMAGE_HOST}`);
  return protocol === 'https:' && isHost && port === '' && username === '' && password === '';
}
