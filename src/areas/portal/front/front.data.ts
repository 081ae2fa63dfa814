/** Tiles of the front page: type of the event stream, and title. */
export const TILES = [
  ['challenge', 'Challenge'],
  ['daily_bonuses', 'Daily bonus'],
  ['longshade', 'Biomes'],
  ['wild_mana', 'Wild mana'],
  ['stampy', 'Stampy'],
  ['corruxion', 'Corruxion'],
  ['fluxion', 'Fluxion'],
  ['chaos', 'Chaos chest'],
] as const;

/** What the service offers: title, what for, and a page or endpoint to look at. */
export const OFFERS = [
  ['Rotations', 'Challenges, merchants, biomes, bonuses: now and next, as JSON, calendar or badge.', '/v1/rotations/calendar'],
  ['Codex', 'Items, mounts, recipes and their pictures, read from the game files.', '/codex'],
  ['Market', 'Listings, prices over time, and what an item costs now.', '/v1/market/items'],
  ['Leaderboards', 'Every board with its history: ranks, gains, players.', '/v1/leaderboards'],
  ['Activity', 'How many people play, by hour and by class.', '/activity'],
  ['Updates', 'Every build of the game: what changed, and each file.', '/v1/updates'],
  ['Mods', 'A catalog with releases, and tools that read and build mod files.', '/v1/mods'],
  ['Stats and gems', 'Calculators for builds, gems and what they cost.', '/docs'],
  ['Events', 'One stream of everything that changes, or webhooks to your chat.', '/live'],
] as const;

/** Guides of the documentation: title and path. */
export const GUIDES = [
  ['First request', '/docs/quickstart'],
  ['Tokens', '/docs/authentication'],
  ['Rate limits', '/docs/rate-limits'],
  ['Event stream', '/docs/event-stream'],
  ['Discord bot', '/docs/recipes/discord-bot'],
  ['Widget on a website', '/docs/recipes/website-widget'],
  ['Spreadsheet', '/docs/recipes/spreadsheet'],
  ['Publish a mod', '/docs/recipes/publish-a-mod'],
] as const;
