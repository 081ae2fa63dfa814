import { cachedJson, fixedJson } from '../../../platform/http/replies/cached-json.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import { type LevelCosts, type LevelCostsRequest, levelCosts } from '../levels/level-costs.domain.ts';
import { TABLE_MAX_AGE } from '../limits.data.ts';
import { gemLookups } from './lookups.domain.ts';

/** Of some 5,600 tables there are; about 10 KB each. */
const MAX_CACHED_TABLES = 64;

export const lookupsBody = cachedJson(gemLookups, TABLE_MAX_AGE);

const tables = new BoundedMap<string, Representation<LevelCosts>>(MAX_CACHED_TABLES);

/** Serialised level costs with an LRU cache. */
export function levelCostsBody(request: LevelCostsRequest): Representation<LevelCosts> {
  const { tier, type, element, booster, from_level } = request;
  const key = JSON.stringify([tier, type, element, booster, from_level]);
  const known = tables.get(key);
  if (known) return known;
  const body = fixedJson(levelCosts(request), TABLE_MAX_AGE);
  tables.set(key, body);
  return body;
}
