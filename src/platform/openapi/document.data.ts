/** Title and introduction of the API in its OpenAPI document. */
export const documentInfo = {
  title: 'Game Data API',
  version: '1.0.0',
  summary: 'Live data for an online game: rotations, feeds, calculators, game files, leaderboards, market and an event stream.',
  description: [
    'Every body is JSON unless stated, every time is in real unix seconds unless a field is named `*_iso` or is an ISO 8601 string.',
    'The game runs on UTC-11: a game day starts at 11:00 UTC.',
    '',
    '**Try it:** public endpoints need no token. A token of the developer portal, sent as `Authorization: Bearer <API token>`, lifts the budget and opens the rest.',
    '',
    '**Errors** have one envelope, `{"error": {"code, message, details"}}`; branch on `code`.',
    '',
    '**Limits** use fixed windows; the `X-RateLimit-*` and `RateLimit` headers of every counted answer tell what is left, and a 429 has `Retry-After`.',
    '',
    '**Caching:** every GET has an `ETag`; send it back in `If-None-Match` and the answer is 304 until something other than the clock changes. Bodies with countdowns have a weak `ETag`: count down from `ends_at` and the `Date` header.',
    '',
    '**Compatibility:** within `/v1` paths, operations, fields and enumerated values are not removed, and inputs do not become stricter. A breaking change is announced 12 months ahead with `Deprecation` and `Sunset` headers. New fields, endpoints and scopes may appear at any time.',
  ].join('\n'),
  license: { name: 'All rights reserved', url: 'https://spdx.org/licenses/LicenseRef-proprietary.html' },
};

/** One sentence for each group of the documentation. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Service: 'Health, token, snapshot and machine-readable descriptions of the service itself.',
  Rotations:
    'Server time, bonuses, merchants, biomes, challenges, the chaos chest and the calendar. Computed ones answer for any instant with `?at=`.',
  Feeds: 'News, live streams, videos and community events, as their sources last gave them.',
  Stats: 'Where stats come from, the playable classes, the coefficient of a character, and a picture of its sigil.',
  Gems: 'Gem simulator, evaluator and build optimizer. Nothing is stored: clients keep the gem and send it back.',
  Misc: 'Modding software, time zones and conversion, the items the market tracks, supporters, game server status, feedback.',
  Mods: 'Reading and building `.tmod` files, byte for byte, and the catalog of mods.',
  Updates: 'Every version of the game files: branches, what a version changed, the tree, and the files themselves.',
  Codexes: 'Items, mounts, recipes and everything else the game files describe, searchable in every direction.',
  'Client app': 'Releases of the companion app, and whether an installed one is current.',
  Leaderboards: 'Captured boards, the history of players and boards, records and what looks odd.',
  Market: 'Listings of the tracked items, their prices and how these went.',
  Activity: 'How many players are active, estimated from the movement of scores.',
  Giveaways: 'Giveaways that run, come and are over, and how each was drawn.',
  OCR: 'Stats read from a screenshot of a character sheet.',
  Events: 'One live stream of everything that changes.',
};
