import { EXPLORE, MENU, TOOLS, type ToolName } from '../../platform/http/pages/menu.data.ts';
import type { FeatureName } from '../../platform/settings/settings.data.ts';

/** How the search shows and finds a page. */
interface PageWords {
  /** What the page shows, in a few words. */
  about: string;
  /** Phrases that people type for the page, besides its label. */
  phrases: readonly string[];
  /** The page is absent while this feature is switched off. */
  feature?: FeatureName;
}

/** Words of the pages of the menu, by path. */
const WORDS: Readonly<Record<string, PageWords>> = {
  '/codex': {
    about: 'Items, mounts, recipes and other content of the game',
    phrases: ['item database', 'items list', 'wiki', 'recipes', 'mounts list', 'collections', 'stats of items'],
    feature: 'featureCodexesEnabled',
  },
  '/market': {
    about: 'Prices that moved, deals and the most listed items',
    phrases: ['marketplace', 'auction house', 'item prices', 'price check', 'deals', 'trading post', 'flux prices', 'listings'],
    feature: 'featureMarketEnabled',
  },
  '/leaderboards': {
    about: 'The boards of the game with their first ranks',
    phrases: ['boards', 'ranking list', 'top players', 'high scores', 'ladder', 'contests', 'who is first'],
    feature: 'featureLeaderboardsEnabled',
  },
  '/players': {
    about: 'The ranks of a player on all boards',
    phrases: ['player lookup', 'find player', 'my rank', 'player ranks', 'player profile', 'character lookup'],
    feature: 'featureLeaderboardsEnabled',
  },
  '/activity': {
    about: 'Active players over time and by class',
    phrases: ['players online', 'online players', 'player count', 'how many players', 'population', 'active players', 'class popularity'],
    feature: 'featurePlayerActivityEnabled',
  },
  '/mods': {
    about: 'Mods with their releases and files',
    phrases: ['mod catalog', 'addons', 'download mods', 'texture packs', 'mod packs'],
    feature: 'featureModsHubEnabled',
  },
  '/updates': {
    about: 'Archived versions of the game with their changes',
    phrases: ['patches', 'patch history', 'game versions', 'new version', 'changelog of the game'],
    feature: 'featureUpdatesEnabled',
  },
  '/codex/changes': {
    about: 'What changed in the game files, version by version',
    phrases: ['what changed', 'patch changes', 'changed items', 'new items'],
    feature: 'featureCodexesEnabled',
  },
  '/servers': {
    about: 'Status of the game servers and their outages',
    phrases: [
      'server status',
      'server down',
      'servers down',
      'is the server up',
      'is the game down',
      'server online',
      'maintenance',
      'outage',
      'uptime',
      'cannot log in',
    ],
    feature: 'featureServerStatusEnabled',
  },
  '/today': {
    about: 'Bonus, challenge, biomes and merchants of the game day',
    phrases: ['daily bonus', 'daily buff', 'challenge', 'next reset', 'daily reset', 'biomes today'],
  },
  '/week': {
    about: 'Bonus, merchants and resets of the game week',
    phrases: ['weekly bonus', 'weekly buff', 'weekly reset', 'this week', 'schedule'],
  },
  '/merchants': {
    about: 'When the merchants come, and how long they stay',
    phrases: ['corruxion', 'luxion', 'fluxion', 'merchant schedule', 'next merchant', 'dragon merchant', 'vendor', 'trader'],
  },
  '/tools': { about: 'Calculators and editors that run in the browser', phrases: ['calculators', 'calculator', 'planner'] },
  '/live': {
    about: 'Events of the game as they happen',
    phrases: ['live events', 'event stream', 'live feed'],
  },
  '/status': { about: 'Health of this service', phrases: ['api status', 'service status', 'incidents', 'api down'] },
  '/docs': { about: 'Guides and reference of the API', phrases: ['documentation', 'api reference', 'guides', 'help', 'endpoints'] },
};

/** Words of the tools, besides their label and title. */
const TOOL_PHRASES: Readonly<Record<ToolName, readonly string[]>> = {
  gems: ['gem calculator', 'gem builder', 'gem simulator', 'gem augments', 'boosts', 'gem check', 'empowered gems'],
  builds: ['build calculator', 'best build', 'class builds', 'gear planner', 'star chart'],
  character: ['character sheet', 'coefficient calculator', 'damage calculator', 'stat sheet', 'screenshot'],
  tmod: ['tmod editor', 'open tmod', 'mod editor', 'unpack mod', 'build a mod'],
  time: ['time converter', 'time zone', 'server time', 'game time', 'reset time'],
  stats: ['power rank calculator', 'magic find calculator', 'light calculator', 'pr calculator', 'mf calculator'],
};

/** A page that the search finds by its title or a phrase. */
export interface SearchedPage extends PageWords {
  path: string;
  title: string;
}

/** Pages outside the menu that the search finds. */
const OTHER_PAGES = [
  ['/docs', 'Docs'],
  ['/codex/changes', 'Patch notes'],
] as const;

const menuPages = new Map<string, string>([...EXPLORE, ...MENU, ...OTHER_PAGES]);

/** Every page of the menu and every tool, as the search finds it. A page without words is found by its label. */
export const SEARCHED_PAGES: readonly SearchedPage[] = [
  ...[...menuPages].map(([path, title]) => ({ path, title, ...(WORDS[path] ?? { about: '', phrases: [] }) })),
  ...TOOLS.map(({ name, label, title, text }) => ({
    path: `/tools/${name}`,
    title,
    about: text,
    phrases: [`${label} tool`, ...TOOL_PHRASES[name]],
  })),
];
