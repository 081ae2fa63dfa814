import { LIVE_BRANCH } from '../../game/branches.data.ts';
import { modelImagePath } from '../../game/model-image.ts';
import type { Ports } from '../../platform/area/area.ts';
import { pageOfDocuments, type SearchDocument, type SearchSource } from '../../platform/area/search-source.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { nearestValues } from '../../platform/kit/errors/input-error.ts';
import { foldCase } from '../../platform/kit/values/fold.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import type { ListingsStore } from './listings.store.ts';

/** Names of items. Clients may send them in any case, with surrounding spaces. */
export type ItemNames = ReturnType<typeof createItemNames>;

/** Cache TTL of the names in the isolate, in milliseconds. An unknown name reads them again. */
const NAMES_TTL_MS = 60_000;
const MAX_NEAREST_NAMES = 3;

/** Form of a name for comparisons. */
export const itemKey = (name: string) => foldCase(name.trim());

export function createItemNames(listings: Pick<ListingsStore, 'listItems'>, ports: Pick<Ports, 'cachedInterestItems'>) {
  const cache = createRevalidatingCache(async () => {
    const names = new Set((await Promise.all([listings.listItems(), ports.cachedInterestItems()])).flat());
    // Of spellings that differ in case only, a listed one wins.
    const byFoldedName = new Map([...names].toReversed().map((name) => [itemKey(name), name]));
    return { names, byFoldedName };
  }, NAMES_TTL_MS);

  async function findCached(name: string): Promise<string | undefined> {
    const { names, byFoldedName } = await cache.get();
    return names.has(name) ? name : byFoldedName.get(itemKey(name));
  }

  /** The stored spelling of a name; undefined for an item that was never listed and is not tracked. */
  async function find(name: string): Promise<string | undefined> {
    const found = await findCached(name);
    if (found !== undefined) return found;
    cache.invalidate();
    return findCached(name);
  }

  async function requireName(name: string): Promise<string> {
    const found = await find(name);
    if (found !== undefined) return found;
    const nearest = nearestValues(name, [...(await cache.get()).names], MAX_NEAREST_NAMES);
    throw new ApiError('not_found', 'item not found', {
      details: { name, nearest },
      ...(nearest.length > 0 ? { hint: `did you mean ${nearest.join(' or ')}?` } : {}),
    });
  }

  return {
    find,

    /** Like `find`, from the names in memory: pages ask for names of any entry, most of which the market does not have. */
    findKept: findCached,

    /**
     * Reads data of an item by its stored spelling. Throws 404 with the nearest names. Reads while the name is looked up, and again if the
     * client sent another spelling.
     */
    async read<Value>(requested: string, reader: (name: string) => Promise<Value>): Promise<{ name: string; value: Value }> {
      const [name, early] = await Promise.all([requireName(requested), reader(requested)]);
      return { name, value: name === requested ? early : await reader(name) };
    },
  };
}

/** Every item that was listed or is tracked, a few hundred. */
export function createMarketSearchSource(
  listings: Pick<ListingsStore, 'listItems'>,
  ports: Pick<Ports, 'interestItems' | 'itemBlueprints'>,
): SearchSource {
  async function documents(): Promise<SearchDocument[]> {
    const [listed, tracked] = await Promise.all([listings.listItems(), ports.interestItems()]);
    const names = [...new Set([...listed, ...tracked])];
    const blueprints = await ports.itemBlueprints(names);
    return names.map((name) => ({
      key: name,
      name,
      about: 'market',
      text: '',
      link: `/market/item?name=${encodeURIComponent(name.toWellFormed())}`,
      image: modelImagePath(blueprints.get(name) ?? null, LIVE_BRANCH),
    }));
  }
  return {
    type: 'item',
    scope: 'market:read',
    isPublic: false,
    feature: 'featureMarketEnabled',
    contents: {
      version: async () => digestOf(JSON.stringify(await documents())),
      list: async (after, limit) => pageOfDocuments(await documents(), after, limit),
    },
  };
}
