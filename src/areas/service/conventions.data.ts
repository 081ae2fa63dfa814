/** Conventions of all endpoints, for llms.txt. */
export const CONVENTIONS: readonly string[] = [
  'Bodies are JSON unless an endpoint states otherwise. Times are integer unix seconds in UTC, unless a field is named `*_iso` or holds an ISO 8601 string.',
  'The game runs on UTC-11 all year: a game day starts at 11:00 UTC, a game week on Monday at 11:00 UTC.',
  'Lists with a history take `limit` and `offset` and return `{items, count, total}`: `count` items are on the page, `total` match.',
  'Unknown query parameters are ignored; the response header `Unknown-Parameters` names them, such as `att;did-you-mean=at`. A repeated parameter returns 422. An empty value counts as absent.',
  'Every response has `X-Request-ID`; send your own (letters, digits, `.`, `_`, `-`, at most 64) to set it.',
  'Public endpoints work without a token. `Authorization: Bearer <API token>` raises the rate limit and gives access to the endpoints that require a token. An invalid token returns 401 on every endpoint. Never put a token into a URL.',
  'Rate limits count requests in fixed windows per address (IPv6: per /64 network) or per token. Counted responses have `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (unix seconds); a 429 has `Retry-After` in seconds. Each operation states its limits in the OpenAPI document as `x-rate-limit`.',
  'Every GET has an `ETag`: send it in `If-None-Match` to get 304 until the body changes. Bodies with countdowns have a weak `ETag` that ignores the running seconds: count down from `ends_at` and the `Date` header.',
  'Send `Idempotency-Key` (1 to 200 characters) with a write to retry it safely: for a day, a request with the same key and body returns the first response.',
  'The data API accepts requests from browsers on any origin (CORS), without cookies.',
  'Within `/v1` nothing is removed or renamed and inputs do not become stricter. A breaking change is announced 12 months ahead with `Deprecation` and `Sunset` headers. New fields, endpoints and scopes may appear at any time.',
];
