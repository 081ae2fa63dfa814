/** A card of the front page: the state of an event type, or a part of the game week (`weekly_bonus`, `reset`). */
export interface TileSpec {
  type: string;
  title: string;
  /** Page with the details and the history. */
  path: string;
  /** Headline while the type has no state. */
  absent?: string;
  /** Takes a whole row. */
  isWide?: boolean;
  /** Whether the state lasts for a known time; default: true. */
  hasWindows?: boolean;
}

/** In the order of importance for a player: a phone shows the cards up to the news without scrolling. */
export const TILES: readonly TileSpec[] = [
  { type: 'server_status', title: 'Servers', path: '/servers', hasWindows: false },
  { type: 'activity', title: 'Players', path: '/activity', hasWindows: false },
  { type: 'daily_bonuses', title: 'Today’s bonus', path: '/today' },
  { type: 'weekly_bonus', title: 'This week’s bonus', path: '/week' },
  { type: 'challenge', title: 'Challenge', path: '/today#challenges' },
  { type: 'reset', title: 'Next reset', path: '/today' },
  { type: 'corruxion', title: 'Corruxion', path: '/merchants#corruxion' },
  { type: 'fluxion', title: 'Fluxion', path: '/merchants#fluxion' },
  { type: 'luxion', title: 'Luxion', path: '/merchants#luxion', absent: 'Away' },
  { type: 'longshade', title: 'Biomes', path: '/today#biomes' },
  { type: 'game_news', title: 'News', path: '/today#news', isWide: true, hasWindows: false },
  { type: 'wild_mana', title: 'Wild mana', path: '/week#wild-mana' },
  { type: 'stampy', title: 'Stampy', path: '/week#stampy' },
  { type: 'chaos', title: 'Chaos chest', path: '/week#chaos-chest' },
];

/** Paths of the icons of tiles and areas, in a square of 24 units, drawn as lines. */
export const ICONS: Readonly<Record<string, string>> = {
  server_status: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01',
  activity: 'M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3 20c0-4 2-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 5M18 14c2 1 3 3 3 6',
  weekly_bonus: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5M9 14h6',
  reset: 'M20 12a8 8 0 1 1-3-6M20 3v5h-5M12 8v4l3 2',
  game_news: 'M4 5h13v14H6a2 2 0 0 1-2-2zM17 9h3v8a2 2 0 0 1-2 2M8 9h5M8 13h5',
  challenge: 'M6 4h12v5a6 6 0 0 1-12 0zM6 6H3v2a3 3 0 0 0 3 3M18 6h3v2a3 3 0 0 1-3 3M12 15v5M8 20h8',
  daily_bonuses: 'M4 10h16v10H4zM3 7h18v3H3zM12 7v13M12 7c-4-5-7-2-4 0zM12 7c4-5 7-2 4 0z',
  longshade: 'M12 3 6 11h3l-4 6h6v4h2v-4h6l-4-6h3z',
  wild_mana: 'M12 3c5 6 6 8 6 11a6 6 0 0 1-12 0c0-3 1-5 6-11z',
  stampy: 'M7 20v-5a5 5 0 0 1 10 0v5zM9 10V5M15 10V5M7 20h10',
  corruxion: 'M12 3l8 5v8l-8 5-8-5V8zM4 8l8 5 8-5M12 13v8',
  fluxion: 'M4 7h13l-3-3M20 17H7l3 3',
  luxion: 'M12 4v3M12 17v3M4 12h3M17 12h3M6.5 6.5l2 2M15.5 15.5l2 2M17.5 6.5l-2 2M8.5 15.5l-2 2M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  chaos: 'M4 9h16v11H4zM4 9l3-5h10l3 5M10 12h4v3h-4z',
  Rotations: 'M12 3a9 9 0 1 1-9 9M12 7v5l3 3M3 5v7h7',
  Codex: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  Market: 'M4 10l2-6h12l2 6M4 10v10h16V10M4 10h16M10 20v-6h4v6',
  Leaderboards: 'M4 20v-6h5v6M9.500 20V8h5v12M15 20v-9h5v9M3 20h18',
  Players: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 3-7 8-7s8 2 8 7',
  Activity: 'M3 12h4l3 8 4-16 3 8h4',
  Updates: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  Mods: 'M10 4a2 2 0 1 1 4 0v3h5v5h-3a2 2 0 1 0 0 4h3v4H5v-5h2a2 2 0 1 0 0-4H5V7h5z',
  Tools: 'M7 4h10l4 6-9 10L3 10zM3 10h18M9 10l3 10 3-10-3-6z',
  Events: 'M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7 7a7 7 0 0 0 0 10M17 7a7 7 0 0 1 0 10M4 4a11 11 0 0 0 0 16M20 4a11 11 0 0 1 0 16',
};

/** Title, description and page of each area. */
export const OFFERS = [
  ['Rotations', 'Challenges, merchants, biomes, bonuses: now and next, as JSON, calendar or badge.', '/docs/reference/rotations'],
  ['Codex', 'Items, mounts, recipes and their images, read from the game files.', '/codex'],
  ['Market', 'Listings, current prices and price history of items.', '/market'],
  ['Leaderboards', 'Every board with its history: ranks and gains.', '/leaderboards'],
  ['Players', 'The places of a player on every board, by name.', '/players'],
  ['Activity', 'Player counts by hour and by class.', '/activity'],
  ['Updates', 'Every build of the game with its changes and files.', '/updates'],
  ['Mods', 'A catalog with releases, and tools that read and build mod files.', '/mods'],
  ['Tools', 'Calculators for gems, stats and times, in your browser.', '/tools'],
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
