/** Host of the platform's images, and of those below it. */
const IMAGE_HOST = 'hdslb.com';

/** The address of an image of the platform; null for any other text. */
export function videosBImageUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && isVideosBImage(url) ? url : null;
}

/** Whether an address is one of the platform's images; redirects are held to it as well. */
export function isVideosBImage({ protocol, hostname, port, username, password }: URL): boolean {
  const isHost = hostname === IMAGE_HOST || hostname.endsWith(`.${IMAGE_HOST}`);
  return protocol === 'https:' && isHost && port === '' && username === '' && password === '';
}
