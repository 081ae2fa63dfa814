import { ApiError } from '../../errors/api-error.ts';

/**
 * Refuses a write that a page of another origin makes a browser send (CSRF): its cookies would go with it. Programs send
 * neither header and are not affected. Throws 403.
 */
export function requireSameOrigin(request: Request, ownOrigin: string): void {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  const isOwn = origin === null || origin === ownOrigin || origin === originOfUrl(request.url);
  const isSameSite = site === null || site === 'same-origin' || site === 'none';
  if (!isOwn || !isSameSite) throw new ApiError('forbidden', 'cross-origin requests are not allowed');
}

function originOfUrl(url: string): string {
  return new URL(url).origin;
}
