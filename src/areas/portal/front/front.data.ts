/** Event type and title of each tile, and the headline while the type has no state. */
export const TILES: readonly (readonly [type: string, title: string, absent?: string])[] = [
  ['challenge', 'Challenge'],
  ['daily_bonuses', 'Daily bonus'],
  ['longshade', 'Biomes'],
  ['wild_mana', 'Wild mana'],
  ['stampy', 'Stampy'],
  ['corruxion', 'Corruxion'],
  ['fluxion', 'Fluxion'],
  ['luxion', 'Luxion', 'Away'],
  ['chaos', 'Chaos chest'],
];

/** Title, description and page of each area. */
export const OFFERS = [
  ['Rotations', 'Challenges, merchants, biomes, bonuses: now and next, as JSON, calendar or badge.', '/docs/reference/rotations'],
  ['Codex', 'Items, mounts, recipes and their images, read from the game files.', '/codex'],
  ['Market', 'Listings, current prices and price history of items.', '/market'],
  ['Leaderboards', 'Every board with its history: ranks, gains, players.', '/leaderboards'],
  ['Activity', 'Player counts by hour and by class.', '/activity'],
  ['Updates', 'Every build of the game with its changes and files.', '/updates'],
  ['Mods', 'A catalog with releases, and tools that read and build mod files.', '/mods'],
  ['Stats and gems', 'Calculators for builds, gems and their cost.', '/docs/reference/stats'],
  ['Events', 'All changes as one stream, or as webhooks to your chat.', '/live'],
] as const;

/** Title and path. */
export const GUIDES = [
  ['First request', '/docs/quickstart'],
  ['Client libraries', '/docs/clients'],
  ['Tokens', '/docs/authentication'],
  ['Rate limits', '/docs/rate-limits'],
  ['Event stream', '/docs/event-stream'],
  ['Discord bot', '/docs/recipes/discord-bot'],
  ['Widget on a website', '/docs/recipes/website-widget'],
  ['Spreadsheet', '/docs/recipes/spreadsheet'],
  ['Publish a mod', '/docs/recipes/publish-a-mod'],
] as const;
