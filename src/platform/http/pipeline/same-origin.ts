import { ApiError } from '../../kit/errors/api-error.ts';

/**
 * Rejects cross-site request forgery: throws 403 for a request that a page of another origin sent. Programs outside a browser send
 * neither `Origin` nor `Sec-Fetch-Site`.
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
