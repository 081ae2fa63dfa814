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

/** What the service offers: title, what for, and the page about it. */
export const OFFERS = [
  ['Rotations', 'Challenges, merchants, biomes, bonuses: now and next, as JSON, calendar or badge.', '/docs/reference/rotations'],
  ['Codex', 'Items, mounts, recipes and their images, read from the game files.', '/codex'],
  ['Market', 'Listings, prices over time, and what an item costs now.', '/docs/reference/market'],
  ['Leaderboards', 'Every board with its history: ranks, gains, players.', '/docs/reference/leaderboards'],
  ['Activity', 'How many people play, by hour and by class.', '/activity'],
  ['Updates', 'Every build of the game: what changed, and each file.', '/docs/reference/updates'],
  ['Mods', 'A catalog with releases, and tools that read and build mod files.', '/docs/reference/mods'],
  ['Stats and gems', 'Calculators for builds, gems and what they cost.', '/docs/reference/stats'],
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
