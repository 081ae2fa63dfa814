import { cachedJson, fixedJson } from '../../../platform/http/replies/cached-json.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import { calculateLevelCosts, type LevelCosts, type LevelCostsRequest } from '../levels/level-costs.domain.ts';
import { TABLE_MAX_AGE } from '../limits.data.ts';
import { createGemLookups } from './lookups.domain.ts';

/** Maximum cached tables per isolate, about 10 KB each; there are some 5,600. */
const MAX_CACHED_TABLES = 64;

export const lookupsBody = cachedJson(createGemLookups, TABLE_MAX_AGE);

const tables = new BoundedMap<string, Representation<LevelCosts>>(MAX_CACHED_TABLES);

/** Serialised level costs, from an LRU cache. */
export function levelCostsBody(request: LevelCostsRequest): Representation<LevelCosts> {
  const { tier, type, element, booster, from_level } = request;
  const key = JSON.stringify([tier, type, element, booster, from_level]);
  const cached = tables.get(key);
  if (cached) return cached;
  const body = fixedJson(calculateLevelCosts(request), TABLE_MAX_AGE);
  tables.set(key, body);
  return body;
}
