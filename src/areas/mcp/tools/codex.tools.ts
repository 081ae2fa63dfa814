import { z } from '@hono/zod-openapi';
import { defineTool } from '../tool.ts';
import { numberText, shortText } from '../tool-text.domain.ts';

const SEARCH = '/v1/codexes/search';
const RENDER = '/v1/codexes/render';
const MAX_RESULTS = 20;
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
    recipe?: { output: Part | null; ingredients: Part[] };
  };
}
interface Part {
  name?: string;
  path: string;
  amount: number;
}

const entryPage = ({ type, path }: Entry) => `/codex/${encodeURIComponent(type)}/entry?${new URLSearchParams({ path })}`;
const entryApi = ({ type, path }: Entry) => `/v1/codexes/${encodeURIComponent(type)}/entry?${new URLSearchParams({ path })}`;

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
    limit: z.number().int().min(1).max(MAX_RESULTS).default(10).describe('Maximum number of entries.'),
  }),
  endpoints: [`GET ${SEARCH}`],
  async run({ query, type, stat, tradable, limit }, { read }) {
    const filters = { q: query, type, stat, tradable, limit, ...(stat ? { sort: '-stat_value' } : {}) };
    const { items, total } = await read<{ items: (Entry & { stat_value?: number | null })[]; total: number }>(SEARCH, { query: filters });
    const lines = items.map((entry) => {
      const category = entry.category ? `, ${entry.category}` : '';
      const value = entry.stat_value === undefined || entry.stat_value === null ? '' : ` ${stat}: ${numberText(entry.stat_value)}.`;
      const about = entry.description ? ` ${shortText(entry.description, MAX_DESCRIPTION_LENGTH)}` : '';
      return `- ${entry.name ?? entry.path} (${entry.type}${category}) path ${entry.path}.${value}${about}`;
    });
    const page = `/codex?${new URLSearchParams({ q: query })}`;
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
    image: z.boolean().default(false).describe('Include the image; counts as another request.'),
  }),
  endpoints: ['GET /v1/codexes/{type}/entry', `GET ${SEARCH}`, `GET ${RENDER}`],
  async run({ name, type, path, image }, { read, readImage }) {
    const entry =
      path !== undefined && type !== undefined
        ? await read<Entry>(`/v1/codexes/${encodeURIComponent(type)}/entry`, { query: { path } })
        : bestMatch((await read<{ items: Entry[] }>(SEARCH, { query: { q: name ?? path, type, limit: MAX_RESULTS } })).items, name);
    if (!entry) return { lines: [`Entry "${name ?? path}" not found.`], links: { Page: '/codex' } };
    const imageLink: Record<string, string> = entry.image_url ? { Image: entry.image_url } : {};
    return {
      lines: entryLines(entry),
      links: { Page: entryPage(entry), ...imageLink, API: entryApi(entry) },
      image:
        image && entry.blueprint
          ? await readImage(RENDER, { query: { blueprint: entry.blueprint, dim: IMAGE_SIDE_PIXELS } }, MAX_IMAGE_BYTES)
          : null,
    };
  },
});

/** The result with exactly this name, ignoring case; otherwise the first result. */
function bestMatch(items: readonly Entry[], name = ''): Entry | undefined {
  const lowerName = name.trim().toLowerCase();
  return items.find((entry) => entry.name?.toLowerCase() === lowerName) ?? items[0];
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
          `Recipe: ${recipe.ingredients.slice(0, MAX_STATS).map(amountText).join(', ')} make ${recipe.output ? amountText(recipe.output) : 'it'}`,
        ]
      : []),
  ];
}
