import { LIVE_BRANCH } from '../../game/branches.data.ts';
import { modelImagePath } from '../../game/model-image.ts';
import { pageOfDocuments, type SearchDocument, type SearchSource } from '../../platform/area/search-source.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import type { ListingsRepository } from './listings.repository.ts';
import type { ItemBlueprints } from './listings.routes.ts';
import type { InterestList } from './market-insert.service.ts';

export interface MarketSearchDeps {
  listings: Pick<ListingsRepository, 'listItems'>;
  interestList: InterestList;
  itemBlueprints: ItemBlueprints;
}

/** Every item that was listed or is tracked, a few hundred. */
export function createMarketSearchSource({ listings, interestList, itemBlueprints }: MarketSearchDeps): SearchSource {
  async function documents(): Promise<SearchDocument[]> {
    const [listed, tracked] = await Promise.all([listings.listItems(), interestList()]);
    const names = [...new Set([...listed, ...tracked])];
    const blueprints = await itemBlueprints(names);
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
