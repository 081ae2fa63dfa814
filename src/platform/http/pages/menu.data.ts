type Link = readonly [path: string, label: string];

/** Pages of the data, below "Explore" in the header. */
export const EXPLORE: readonly Link[] = [
  ['/today', 'Today'],
  ['/week', 'This week'],
  ['/merchants', 'Merchants'],
  ['/codex', 'Codex'],
  ['/market', 'Market'],
  ['/leaderboards', 'Leaderboards'],
  ['/players', 'Players'],
  ['/activity', 'Activity'],
  ['/mods', 'Mods'],
  ['/updates', 'Game updates'],
  ['/servers', 'Game servers'],
];

/** Sections of the site with a link preview image of their own: the first segment of the paths of their pages. */
export const PREVIEW_SECTIONS = [
  'today',
  'week',
  'merchants',
  'codex',
  'market',
  'leaderboards',
  'players',
  'activity',
  'mods',
  'updates',
  'servers',
  'docs',
  'live',
  'search',
] as const;

export type PreviewSection = (typeof PREVIEW_SECTIONS)[number];

/** A tool for people: a page below `/tools` that computes in the browser. */
export interface ToolLink {
  /** Segment of the path. */
  name: string;
  /** Short name, for menus. */
  label: string;
  /** Heading of the page. */
  title: string;
  /** What a person does with it, in one sentence. */
  text: string;
}

/** The tools, in the order of their lists. */
export const TOOLS = [
  {
    name: 'gems',
    label: 'Gems',
    title: 'Gem simulator and evaluator',
    text: 'Build a gem, level it with the real chances and see what it costs. Or enter your gems and find out how good they are.',
  },
  {
    name: 'builds',
    label: 'Builds',
    title: 'Build optimizer',
    text: 'Choose class, subclass, ally, food and star chart, and see the best boosts for every gem of your set.',
  },
  {
    name: 'character',
    label: 'Character',
    title: 'Character sheet',
    text: 'Have a screenshot of your stat sheet read, or type it, and see your coefficient and what would raise it most.',
  },
  {
    name: 'tmod',
    label: 'Mods',
    title: 'Mod files',
    text: 'Open a .tmod file, look at everything in it, change it, and build it again, without leaving your browser.',
  },
  {
    name: 'time',
    label: 'Time',
    title: 'Game time converter',
    text: 'See any moment in game time and in your time, copy it for a chat, and see what happens next in the game.',
  },
  {
    name: 'stats',
    label: 'Stats',
    title: 'Power Rank, Magic Find and Light',
    text: 'Tick what your character has, see the sum, and see what is missing, most valuable first.',
  },
] as const satisfies readonly ToolLink[];

export type ToolName = (typeof TOOLS)[number]['name'];

/** The tool of a name. */
export function toolNamed(name: ToolName): ToolLink {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new RangeError(`no tool is named ${name}`);
  return tool;
}

/** Links of the header of every page beside "Explore". */
export const MENU: readonly Link[] = [
  ['/tools', 'Tools'],
  ['/live', 'Live'],
  ['/status', 'Status'],
];
