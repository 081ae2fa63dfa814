import { CLASSES, type GameClass } from '../../game/classes.domain.ts';
import { cachedJson } from '../../platform/http/replies/cached-json.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_HOUR } from '../../platform/time/clock.ts';
import type { StatTableKey } from './stat-tables.data.ts';
import { statTable } from './stat-tables.domain.ts';

/** Game data changes with deployments only; an hour lets a corrected figure through. */
const MAX_AGE = SECONDS_PER_HOUR;

/** A stat table, serialised once. */
export const statTableBody = (stat: StatTableKey) => cachedJson(() => statTable(stat), MAX_AGE);

/** All classes, serialised once. */
export const classesBody = cachedJson(() => ({ items: CLASSES, count: CLASSES.length }), MAX_AGE);

const classBodies = new Map(CLASSES.map((entry) => [entry.tech_name, cachedJson(() => entry, MAX_AGE)]));

/** One class, serialised once. Throws for a name that no class has. */
export function classBody(techName: string): Representation<GameClass> {
  const body = classBodies.get(techName);
  if (!body) throw new RangeError(`class not found: ${techName}`);
  return body();
}
