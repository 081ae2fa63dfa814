/** One chapter of the guide: shown on the documentation page and in llms.txt. Paragraphs are plain text with `code`. */
export interface Chapter {
  id: string;
  title: string;
  paragraphs: readonly string[];
}

/** What holds for every endpoint, in the order a newcomer needs it. */
export const GUIDE: readonly Chapter[] = [
  {
    id: 'conventions',
    title: 'Conventions',
    paragraphs: [
      'Bodies are JSON unless an endpoint states otherwise. Times are integer unix seconds in real UTC, unless a field is named `*_iso` or holds an ISO 8601 string.',
      'The game runs on UTC-11 all year: a game day starts at 11:00 UTC, a game week on Monday at 11:00 UTC.',
      'Lists with a history take `limit` and `offset` and answer `{items, count, total}`: `count` is what is on the page, `total` what there is.',
      'Unknown query parameters are ignored. A parameter given twice is refused.',
      'Every answer has `X-Request-ID`; send your own (letters, digits, `.`, `_`, `-`, at most 64) and it is used.',
    ],
  },
  {
    id: 'authentication',
    title: 'Authentication',
    paragraphs: [
      'Public endpoints work without a token, on the budget of your address (IPv6: of its /64 network). Send `Authorization: Bearer <API token>` to use the larger budget of a token and the endpoints that need one.',
      'A token that is malformed, revoked or expired is refused everywhere with 401, also on public endpoints. A valid token without the scope of a public endpoint is served there on the anonymous budget.',
      'There is no login call for programs. Tokens are made by people in the developer portal. Never put a token into a URL.',
      '`GET /v1/token` tells the scopes, the expiry and what is left of the budgets of a token, free of charge.',
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    paragraphs: [
      'Budgets count requests in fixed windows aligned to the clock. Every counted answer, errors and 304 included, has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (unix seconds), and the same as `RateLimit` and `RateLimit-Policy` in the form of draft-ietf-httpapi-ratelimit-headers-11.',
      'Anonymous requests over IPv6 count for the /64 network; a /48 network as a whole has 20 times the budget of a /64.',
      'Beyond the budget the answer is 429 with `Retry-After` in seconds, rounded up. Each operation states its budgets in the OpenAPI document as `x-rate-limit`.',
      'At most 10 event streams may be open at once from an address, and 20 with a token; one more gets 429.',
      'Inserts by a superuser have a cooldown for each endpoint that counts accepted inserts only.',
    ],
  },
  {
    id: 'caching',
    title: 'Conditional requests',
    paragraphs: [
      'Every GET of JSON or of a file has an `ETag` and a `Cache-Control` that means what it says. Send `If-None-Match` and the answer is 304 while nothing has changed; HEAD works too.',
      'Bodies with countdowns have a weak `ETag` over everything but the running seconds: a poller gets 304 until something really changes. Count down yourself, from `ends_at` and the `Date` header.',
      'Computed rotations answer for any instant from 2017 to 2100 with `?at=<unix seconds>`; such an answer may be kept for a day.',
    ],
  },
  {
    id: 'idempotency',
    title: 'Repeating a write safely',
    paragraphs: [
      'Send `Idempotency-Key` (1 to 200 characters) with a POST, PUT, PATCH or DELETE. It counts for your credential, the method and the path. A repeat with the same key and body gets the first response again, marked `Idempotent-Replay: true`, for a day; while the first request runs it gets 409, and with another body or query 422. A request that failed frees its key.',
      'A response over 64 KiB, or one that shows a secret, is not stored: the repeat gets 409 and changes nothing. Calculators and the mod tools store nothing and ignore the key.',
    ],
  },
  {
    id: 'browsers',
    title: 'Browsers',
    paragraphs: [
      'Any origin may call the data API, without cookies. All headers named here may be sent and read by scripts, also on errors and on 304.',
    ],
  },
  {
    id: 'compatibility',
    title: 'Compatibility',
    paragraphs: [
      'Within `/v1` these are breaking changes and do not happen without notice: removing or renaming a path, an operation, a field or an enumerated value; requiring a new input; refusing input that was accepted; changing the type or the unit of a field.',
      'A breaking change is announced at least 12 months ahead: the operation answers with `Deprecation` and `Sunset` headers and a `Link` to what replaces it, and is marked deprecated in the OpenAPI document.',
      'These are not breaking: new paths, new optional parameters, new fields in answers, new headers, new scopes, new event types, new values where a description says that there may be more.',
    ],
  },
];
