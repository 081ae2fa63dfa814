import { z } from '@hono/zod-openapi';
import { MAX_LANGUAGE_LENGTH } from '../../../platform/http/pipeline/query-schemas.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { defineTool, numberText, pathSegment, shortText, type ToolContext, ToolFailure } from './tool.domain.ts';

const SEARCH = '/v1/codexes/search';
const RENDER = '/v1/codexes/render';
const MAX_RESULTS = 20;
/** Further pages of a search that `get_item` reads for an exact name, and the entries of each. */
const MAX_NAME_PAGES = 5;
const NAME_PAGE_SIZE = 200;
const MAX_NAME_LENGTH = 200;
const MAX_PATH_LENGTH = 1024;
const MAX_DESCRIPTION_LENGTH = 160;
const MAX_STATS = 20;
const MAX_IMAGE_BYTES = 256 * 1024;
const IMAGE_SIDE_PIXELS = 256;
const TYPES =
  'ally, mount, dragon, wings, aura, boat, sail, flask, tome, magrider, fishingpole, skin, style, memento, recipe, item, fish or badge';

interface Entry {
  type: string;
  path: string;
  name?: string;
  category?: string;
  description?: string;
  tradable?: boolean | null;
  mastery?: number | null;
  mastery_geode?: number | null;
  power_rank?: number | null;
  blueprint?: string | null;
  image_url?: string | null;
  data?: {
    stats?: { stat_name: string; value: number; is_percent: boolean }[];
    abilities?: { name?: string; description?: string }[];
    recipe?: { outputs: Part[]; ingredients: Part[] };
  };
}
interface Part {
  name?: string;
  path: string;
  amount: number;
}

/** The API checks the code and names the allowed ones. */
const lang = z
  .string()
  .max(MAX_LANGUAGE_LENGTH)
  .optional()
  .describe('Language of names and descriptions, such as de or fr; English without it.');

const entryRoute = (type: string) => `/v1/codexes/${pathSegment(type)}/entry`;
const entryQuery = (path: string, language?: string) =>
  new URLSearchParams({ path, ...(language === undefined ? {} : { lang: language }) });
const entryPage = ({ type, path }: Entry, language?: string) => `/codex/${pathSegment(type)}/entry?${entryQuery(path, language)}`;
const entryApi = ({ type, path }: Entry, language?: string) => `${entryRoute(type)}?${entryQuery(path, language)}`;

export const searchCodexTool = defineTool({
  name: 'search_codex',
  title: 'Search the codex',
  description:
    'Searches the game content (mounts, allies, dragons, recipes, items …) by text in name or description. Returns `type` and `path` of each entry for `get_item`.',
  input: z.object({
    query: z.string().max(MAX_NAME_LENGTH).default('').describe('Text to find in names and descriptions.'),
    type: z.string().max(40).optional().describe(`Only this type: ${TYPES}.`),
    stat: z.string().max(200).optional().describe('Only entries that grant this stat, such as MaxHealth; strongest first.'),
    tradable: z.boolean().optional().describe('true: only tradable entries; false: only untradable entries.'),
    lang,
    limit: z.number().int().min(1).max(MAX_RESULTS).default(10).describe('Maximum number of entries.'),
  }),
  endpoints: [`GET ${SEARCH}`],
  async run({ query, type, stat, tradable, lang: language, limit }, { read }) {
    const filters = { q: query, type, stat, tradable, lang: language, limit, ...(stat ? { sort: '-stat_value' } : {}) };
    const { items, total } = await read<{ items: (Entry & { stat_value?: number | null })[]; total: number }>(SEARCH, { query: filters });
    const lines = items.map((entry) => {
      const category = entry.category ? `, ${entry.category}` : '';
      const value = entry.stat_value === undefined || entry.stat_value === null ? '' : ` ${stat}: ${numberText(entry.stat_value)}.`;
      const about = entry.description ? ` ${shortText(entry.description, MAX_DESCRIPTION_LENGTH)}` : '';
      return `- ${entry.name ?? entry.path} (${entry.type}${category}) path ${entry.path}.${value}${about}`;
    });
    const page = `/codex?${new URLSearchParams({ q: query, ...(language === undefined ? {} : { lang: language }) })}`;
    return {
      lines: [`Entries: ${total}${total > items.length ? `, showing the first ${items.length}` : ''}.`, ...lines],
      links: { Page: page },
    };
  },
});

export const itemTool = defineTool({
  name: 'get_item',
  title: 'Item with its image',
  description:
    'Returns one codex entry with stats, abilities, recipe and image link, by `type` and `path` from `search_codex` or by `name`. With `image` the result includes the image.',
  input: z.object({
    name: z.string().max(MAX_NAME_LENGTH).optional().describe('Name of the entry; required without `path`.'),
    type: z.string().max(40).optional().describe(`Type: ${TYPES}. Required with \`path\`.`),
    path: z.string().max(MAX_PATH_LENGTH).optional().describe('Path of the entry.'),
    lang,
    image: z.boolean().default(false).describe('Include the image; counts as another request.'),
  }),
  endpoints: ['GET /v1/codexes/{type}/entry', `GET ${SEARCH}`, `GET ${RENDER}`],
  async run({ name = '', type, path, lang: language, image }, { read, readImage }) {
    const { entry, note } =
      path !== undefined && type !== undefined
        ? { entry: await read<Entry>(entryRoute(type), { query: { path, lang: language } }), note: '' }
        : await findByName(name.trim(), type, language, read);
    if (!entry) return { lines: [`Entry "${name}" not found.`], links: { Page: '/codex' } };
    const imageLink: Record<string, string> = entry.image_url ? { Image: entry.image_url } : {};
    return {
      lines: [...(note === '' ? [] : [note]), ...entryLines(entry)],
      links: { Page: entryPage(entry, language), ...imageLink, API: entryApi(entry, language) },
      image:
        image && entry.blueprint
          ? await readImage(RENDER, { query: { blueprint: entry.blueprint, dim: IMAGE_SIDE_PIXELS } }, MAX_IMAGE_BYTES)
          : null,
    };
  },
});

/**
 * The entry with exactly this name, ignoring case. Otherwise the first entry whose name or description contains it, with a note; undefined
 * if there is none. A search is in order of names, so an exact one may be on a later page.
 */
async function findByName(
  name: string,
  type: string | undefined,
  language: string | undefined,
  read: ToolContext['read'],
): Promise<{ entry: Entry | undefined; note: string }> {
  if (name === '') throw new ToolFailure('validation_error: name is required, or type and path');
  const search = (query: { limit: number; offset?: number; fields?: string }) =>
    read<{ items: Entry[]; total: number }>(SEARCH, { query: { q: name, type, lang: language, ...query } });
  const hasName = (entry: Entry) => foldCase(entry.name ?? '') === foldCase(name);
  const { items, total } = await search({ limit: MAX_RESULTS });
  const found = items.find(hasName);
  if (found) return { entry: found, note: '' };
  const end = Math.min(total, MAX_RESULTS + MAX_NAME_PAGES * NAME_PAGE_SIZE);
  for (let offset = MAX_RESULTS; offset < end; offset += NAME_PAGE_SIZE) {
    const page = await search({ limit: NAME_PAGE_SIZE, offset, fields: 'name' });
    const later = page.items.find(hasName);
    if (later) return { entry: await read<Entry>(entryRoute(later.type), { query: { path: later.path, lang: language } }), note: '' };
  }
  const note =
    end < total
      ? `None of the first ${end} entries that contain "${name}" has this name; give the type, or more of the name. The first entry:`
      : `No entry is named "${name}". The first entry that contains it:`;
  return { entry: items[0], note };
}

function entryLines(entry: Entry): string[] {
  const { stats = [], abilities = [], recipe } = entry.data ?? {};
  const facts = [
    entry.category ? `category ${entry.category}` : '',
    entry.tradable === true ? 'tradable' : entry.tradable === false ? 'not tradable' : '',
    entry.mastery ? `mastery ${entry.mastery}` : '',
    entry.mastery_geode ? `geode mastery ${entry.mastery_geode}` : '',
    entry.power_rank ? `Power Rank ${entry.power_rank}` : '',
  ].filter((fact) => fact !== '');
  const amountText = ({ name, path, amount }: Part) => `${numberText(amount)} ${name ?? path}`;
  return [
    `${entry.name ?? entry.path} (${entry.type})${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`,
    ...(entry.description ? [shortText(entry.description, 500)] : []),
    ...stats.slice(0, MAX_STATS).map((stat) => `Stat: ${stat.stat_name} ${numberText(stat.value)}${stat.is_percent ? ' %' : ''}`),
    ...abilities
      .slice(0, MAX_STATS)
      .filter(({ name }) => name)
      .map(({ name, description }) => `Ability: ${name}${description ? `: ${shortText(description, MAX_DESCRIPTION_LENGTH)}` : ''}`),
    ...(recipe
      ? [
          `Recipe: ${recipe.ingredients.slice(0, MAX_STATS).map(amountText).join(', ')} make ${recipe.outputs.map(amountText).join(' and ') || 'it'}`,
        ]
      : []),
  ];
}

interface CraftingTree {
  name: string;
  quantity: number;
  cost: number | null;
  nodes: { name: string; depth: number; quantity: number; cost: number | null; choice: 'make' | 'buy' | null; cut: string | null }[];
  materials: { name: string; quantity: number; cost: number | null }[];
  truncated: boolean;
  omitted: string[];
}

const MAX_TREE_LINES = 60;

export const craftingTool = defineTool({
  name: 'crafting_cost',
  title: 'Crafting cost',
  description:
    'Returns what an item is made of, down to raw materials, with quantities; with a token of the scope market:read also median market prices and whether making or buying is cheaper. `path` comes from `search_codex`.',
  input: z.object({
    path: z.string().min(1).max(MAX_PATH_LENGTH).describe('Path of an item or recipe.'),
    quantity: z.number().int().min(1).max(1_000_000).default(1).describe('Quantity to make.'),
  }),
  endpoints: ['GET /v1/codexes/recipes/tree'],
  async run({ path, quantity }, { read }) {
    const tree = await read<CraftingTree>('/v1/codexes/recipes/tree', { query: { path, quantity } });
    const costOf = (cost: number | null) => (cost === null ? '' : `, cost ${numberText(cost)}`);
    const lines = tree.nodes
      .slice(0, MAX_TREE_LINES)
      .map(
        (node) =>
          `${'  '.repeat(node.depth)}- ${numberText(node.quantity)} ${node.name}${costOf(node.cost)}${node.choice ? ` (${node.choice})` : ''}${node.cut ? ` [${node.cut}]` : ''}`,
      );
    return {
      lines: [
        `${numberText(tree.quantity)} ${tree.name}${costOf(tree.cost)}:`,
        ...lines,
        ...(tree.nodes.length > MAX_TREE_LINES ? [`and ${tree.nodes.length - MAX_TREE_LINES} more`] : []),
        'Materials:',
        ...tree.materials.slice(0, MAX_TREE_LINES).map(({ name, quantity: n, cost }) => `- ${numberText(n)} ${name}${costOf(cost)}`),
        ...(tree.omitted.length > 0 ? ['Prices need a token with the scope market:read.'] : []),
      ],
      links: { Page: `/codex/crafting?${new URLSearchParams({ path, quantity: String(quantity) })}` },
    };
  },
});

interface Builds {
  items: { ordinal: number; previous: number | null; added: number; modified: number; removed: number }[];
}
interface BuildChanges {
  total: number;
  items: { type: string; name: string; change: string; fields: { field: string; old?: unknown; new?: unknown }[] }[];
}

const MAX_CHANGED_FIELDS = 4;
const MAX_CHANGED_VALUE = 60;

export const changesTool = defineTool({
  name: 'patch_notes',
  title: 'Patch notes',
  description: 'Returns what changed in the game content with a version of the game files, field by field; the newest version by default.',
  input: z.object({
    version: z.number().int().min(1).optional().describe('Version of the archive; default: the newest with changes.'),
    limit: z.number().int().min(1).max(50).default(20).describe('Maximum number of entries.'),
  }),
  endpoints: ['GET /v1/codexes/builds', 'GET /v1/codexes/changes/{ordinal}'],
  async run({ version, limit }, { read }) {
    const { items: builds } = await read<Builds>('/v1/codexes/builds');
    const build = builds.find(({ ordinal, previous }) => previous !== null && (version === undefined || ordinal === version));
    if (!build)
      throw new ToolFailure(version === undefined ? 'no version with changes is stored yet' : `no changes of version ${version} are kept`);
    const { items, total } = await read<BuildChanges>(`/v1/codexes/changes/${build.ordinal}`, { query: { limit } });
    const valueText = (value: unknown) => shortText(value === undefined ? 'none' : JSON.stringify(value), MAX_CHANGED_VALUE);
    const lineOf = ({ type, name, change, fields }: BuildChanges['items'][number]) => {
      const shown = change === 'modified' ? fields.slice(0, MAX_CHANGED_FIELDS) : [];
      const details = shown.map(({ field, old, new: value }) => `${field} ${valueText(old)} to ${valueText(value)}`).join('; ');
      return `- ${name} (${type}) ${change}${details === '' ? '' : `: ${details}`}`;
    };
    return {
      lines: [
        `Version ${build.ordinal}: ${build.added} added, ${build.modified} modified, ${build.removed} removed since version ${build.previous}.`,
        ...items.map(lineOf),
        ...(total > items.length ? [`and ${total - items.length} more`] : []),
      ],
      links: { Page: `/codex/changes/${build.ordinal}` },
    };
  },
});
