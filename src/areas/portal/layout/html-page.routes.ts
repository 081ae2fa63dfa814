import type { RateLimitGroup } from '../../../platform/access/policy/policy.ts';
import type { AnyRouteSpec } from '../../../platform/http/pipeline/define-route.ts';
import type { RawReply } from '../../../platform/http/replies/reply.ts';

/** What the declarations of all pages have in common. */
export const htmlPage = {
  method: 'get',
  tag: 'Portal',
  surface: 'page',
  hidden: true,
  ok: { contentTypes: ['text/html'], description: 'HTML page.' },
} as const satisfies Partial<AnyRouteSpec>;

/** Requests of public data pages, as a multiple of the anonymous rate limit. */
const PAGES_PER_REQUEST = 4;

/** The rate limit of public data pages: separate, so that looking around does not use up the requests of the same address to the API. */
export const pagesRateLimit: RateLimitGroup = { name: 'pages', multiplierOf: () => PAGES_PER_REQUEST };

/** Rows of lists on public pages for signed-in accounts. */
export const ACCOUNT_ROWS = 100;

/** A temporary redirect to another page of the service. */
export function redirectReply(path: string): RawReply {
  return { kind: 'raw', body: null, contentType: '', status: 302, headers: { Location: path } };
}
