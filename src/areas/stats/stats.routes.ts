import { CLASSES, type GameClass } from '../../game/classes.domain.ts';
import { coefficientOf } from '../../game/coefficient.domain.ts';
import { tokenAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cachedJson, json, type Representation } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { applyRule } from '../../platform/kit/errors/input-fault.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import { STAT_TABLES, type StatSource, type StatTableKey } from './stat-tables.data.ts';
import { ClassBody, ClassesBody, ClassParams, CoefficientBody, CoefficientInput, StatTableBody } from './stats.schemas.ts';

interface StatTable {
  stat: StatTableKey;
  label: string;
  sources: readonly StatSource[];
  count: number;
}

/** All sources of a stat, without totals. */
export function statTable(stat: StatTableKey): StatTable {
  const { label, sources } = STAT_TABLES[stat];
  return { stat, label, sources, count: sources.length };
}

/** Maximum cache age in seconds. Game data changes only with deployments; one hour limits the delay of corrections. */
const MAX_AGE = SECONDS_PER_HOUR;

/** A stat table, serialized once. */
const statTableBody = (stat: StatTableKey) => cachedJson(() => statTable(stat), MAX_AGE);

/** All classes, serialized once. */
export const classesBody = cachedJson(() => ({ items: CLASSES, count: CLASSES.length }), MAX_AGE);

const classBodies = new Map(CLASSES.map((entry) => [entry.tech_name, cachedJson(() => entry, MAX_AGE)]));

/** One class, serialized once. Throws for an unknown name. */
function classBody(techName: string): Representation<GameClass> {
  const body = classBodies.get(techName);
  if (!body) throw new RangeError(`class not found: ${techName}`);
  return body();
}

const readRoute = { method: 'get', tag: 'Stats', access: tokenAccess('stats:read') } as const;

interface StatTableRoute {
  path: string;
  stat: StatTableKey;
  label: string;
  operationId: string;
  note: string;
}

function statTableRoute({ path, stat, label, operationId, note }: StatTableRoute): Endpoint {
  const body = statTableBody(stat);
  return defineRoute({
    ...readRoute,
    path,
    operationId,
    summary: `List ${label} sources`,
    description: `Lists all sources of ${label} as raw game data, without totals. ${note}`,
    ok: { description: `The sources of ${label}.`, schema: StatTableBody },
    table: listTable(StatTableBody, 'sources'),
  }).handle(body);
}

/** Endpoints of stat tables, classes and the coefficient. */
export const statsEndpoints: Endpoint[] = [
  statTableRoute({
    path: '/v1/stats/power-rank',
    stat: 'power-rank',
    label: 'Power Rank',
    operationId: 'getPowerRankSources',
    note: '`step` and `permanent` are null.',
  }),
  statTableRoute({
    path: '/v1/stats/magic-find',
    stat: 'magic-find',
    label: 'Magic Find',
    operationId: 'getMagicFindSources',
    note: '`step` and `permanent` are null.',
  }),
  statTableRoute({
    path: '/v1/stats/light',
    stat: 'light',
    label: 'Light',
    operationId: 'getLightSources',
    note: '`permanent` is set for all sources, `step` for sliders.',
  }),

  defineRoute({
    ...readRoute,
    path: '/v1/stats/classes',
    operationId: 'listClasses',
    summary: 'List classes',
    description: 'Lists the 18 playable classes with stats, bonuses, subclass and abilities, as raw game data.',
    ok: { description: 'All classes.', schema: ClassesBody },
    table: listTable(ClassesBody, 'items'),
  }).handle(classesBody),

  defineRoute({
    ...readRoute,
    path: '/v1/stats/classes/{tech_name}',
    operationId: 'getClass',
    summary: 'Get a class',
    description: 'Returns a class by its technical name, which differs from the display name. Case-sensitive.',
    params: ClassParams,
    errors: ['not_found'],
    ok: { description: 'The class.', schema: ClassBody },
  }).handle(({ params }) => classBody(params.tech_name)),

  defineRoute({
    method: 'post',
    tag: 'Stats',
    access: tokenlessAccess('stats:read'),
    isStateless: true,
    path: '/v1/stats/coefficient',
    operationId: 'calculateCoefficient',
    summary: 'Calculate a coefficient',
    description: 'Calculates the damage of a critical hit: the larger damage stat times one plus Critical Damage, rounded down.',
    body: CoefficientInput,
    ok: { description: 'The coefficient.', schema: CoefficientBody },
  }).handle(({ body }) => json(applyRule('body', body, () => coefficientOf(body)))),
];
