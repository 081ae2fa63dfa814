import type { RateLimitGroup } from '../../platform/access/policy/policy.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { SearchIndex } from '../../platform/area/search-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createSearchIndexer } from './search.jobs.ts';
import { createSearch, type Search } from './search.service.ts';
import { searchSettings } from './search.settings.ts';
import { createSearchStore } from './search.store.ts';
import { searchTables } from './search.tables.ts';

const searchRateLimit: RateLimitGroup = { name: 'search', multiplierOf: (settings) => settings.searchRateLimitMultiplier };

declare module '../../platform/area/area.ts' {
  interface Ports {
    searchIndex: SearchIndex;
    /** The search for pages, with its rate limit. */
    search: Search & { rateLimit: RateLimitGroup };
  }
}

/** `/v1/search`: one search over the documents of all areas. */
export const searchArea = defineArea({
  settings: searchSettings,
  rateLimitGroups: [searchRateLimit],
  tags: {
    Search: 'One search over codex, market, mods, players, boards and documentation.',
  },
  stored: [
    {
      title: 'Search',
      what: 'Names of characters on the public leaderboards and of authors of mods, copied so that they can be found.',
      until: 'As long as the originals.',
    },
  ],
  tables: searchTables,
  create({ db, publicReads, scopes, settings, service }) {
    const store = createSearchStore(db, publicReads);
    const search = createSearch({ store, sources: service.searchSources, scopes });
    const { index, job } = createSearchIndexer({ store, sources: service.searchSources, settings });
    return {
      endpoints: [
        lazyRoutes(['/v1/search'], async () => (await import('./search.routes.ts')).createSearchEndpoints(search, searchRateLimit)),
      ],
      jobs: [job],
      provides: { searchIndex: index, search: { ...search, rateLimit: searchRateLimit } },
    };
  },
});
