/** Title and introduction of the API in its OpenAPI document. */
export const documentInfo = {
  title: 'Game Data API',
  version: '1.0.0',
  summary: 'Live data for an online game: rotations, feeds, calculators, game files, leaderboards, market and an event stream.',
  description: [
    'Bodies are JSON unless stated otherwise. Times are integer unix seconds unless a field is named `*_iso` or is an ISO 8601 string.',
    'The game runs on UTC-11: a game day starts at 11:00 UTC.',
    '',
    '**Try it:** public endpoints need no token. A token of the developer portal, sent as `Authorization: Bearer <API token>`, raises the rate limit and gives access to the endpoints that require one.',
    '',
    '**Query parameters:** an empty value counts as absent. Booleans accept `true`, `1`, `yes`, `on`, `t`, `y` and `false`, `0`, `no`, `off`, `f`, `n`, case-insensitive.',
    '',
    '**Errors** have one envelope, `{"error": {"code", "message", "details", "hint", "doc_url"}}`; branch on `code`.',
    '',
    '**Limits** use fixed windows; the `X-RateLimit-*` and `RateLimit` headers of every counted response report the remaining requests, and a 429 has `Retry-After`.',
    '',
    '**Caching:** every GET has an `ETag`; send it in `If-None-Match` to get 304 until something other than the clock changes. Bodies with countdowns have a weak `ETag`: count down from `ends_at` and the `Date` header.',
    '',
    '**Compatibility:** within `/v1` paths, operations, fields and enumerated values are not removed, and inputs do not become stricter. A breaking change is announced 12 months ahead with `Deprecation` and `Sunset` headers. New fields, endpoints and scopes may appear at any time.',
  ].join('\n'),
  contact: { name: 'the Game Data API contributors' },
  license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
};
