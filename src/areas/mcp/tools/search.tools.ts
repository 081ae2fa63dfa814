import { z } from '@hono/zod-openapi';
import { SEARCH_TYPES, type SearchType } from '../../../platform/area/search-source.ts';
import { MAX_LANGUAGE_LENGTH } from '../../../platform/http/pipeline/query-schemas.ts';
import { defineTool, shortText } from './tool.domain.ts';

const SEARCH = '/v1/search';
const MAX_RESULTS = 20;
const MAX_QUERY_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 160;

interface Hit {
  type: SearchType;
  name: string;
  about: string;
  link: string;
  matched: { typos: number };
  excerpt: string | null;
}

interface Results {
  items: Hit[];
  omitted: { type: SearchType; scope: string }[];
}

export const searchTool = defineTool({
  name: 'search',
  quotesOthers: true,
  title: 'Search everything',
  description:
    'Searches codex entries, market items, mods, players, boards and the documentation by name, then by text. Forgives typos, case and the order of words. Use it to find the exact name or link before another tool.',
  input: z.object({
    query: z.string().min(1).max(MAX_QUERY_LENGTH).describe('Words to find.'),
    types: z.array(z.enum(SEARCH_TYPES)).min(1).optional().describe('Only these types.'),
    lang: z.string().max(MAX_LANGUAGE_LENGTH).optional().describe('Language of codex entries, such as de or fr; English without it.'),
    limit: z.number().int().min(1).max(MAX_RESULTS).default(10).describe('Maximum number of hits.'),
  }),
  endpoints: [`GET ${SEARCH}`],
  async run({ query, types, lang, limit }, { read }) {
    const { items, omitted } = await read<Results>(SEARCH, { query: { q: query, types: types?.join(','), lang, limit } });
    const lines = items.map(({ type, name, about, link, matched, excerpt }) => {
      const context = about === '' ? type : `${type}, ${about}`;
      const text = excerpt === null ? '' : ` ${shortText(excerpt, MAX_EXCERPT_LENGTH)}`;
      return `- ${name} (${context})${matched.typos > 0 ? ', similar name' : ''}: ${link}${text}`;
    });
    const note = omitted.map(({ type, scope }) => `${type} (scope ${scope})`).join(', ');
    return {
      lines: [`Hits: ${items.length}.`, ...lines, ...(note === '' ? [] : [`Not searched, because the token lacks the scope: ${note}.`])],
      links: { Page: `/search?${new URLSearchParams({ q: query })}` },
    };
  },
});
