import { CLASSES, type GameClass } from '../../game/classes.domain.ts';
import { cachedJson } from '../../platform/http/replies/cached-json.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import type { StatTableKey } from './stat-tables.data.ts';
import { statTable } from './stat-tables.domain.ts';

/** Maximum cache age in seconds. Game data changes only with deployments; one hour limits the delay of corrections. */
const MAX_AGE = SECONDS_PER_HOUR;

/** A stat table, serialized once. */
export const statTableBody = (stat: StatTableKey) => cachedJson(() => statTable(stat), MAX_AGE);

/** All classes, serialized once. */
export const classesBody = cachedJson(() => ({ items: CLASSES, count: CLASSES.length }), MAX_AGE);

const classBodies = new Map(CLASSES.map((entry) => [entry.tech_name, cachedJson(() => entry, MAX_AGE)]));

/** One class, serialized once. Throws for an unknown name. */
export function classBody(techName: string): Representation<GameClass> {
  const body = classBodies.get(techName);
  if (!body) throw new RangeError(`class not found: ${techName}`);
  return body();
}
