import { checkInteger, InputError } from '../../../platform/kit/errors/input-error.ts';
import { type AbilityStage, type AbilityStat, EMPOWERED_GEMS, type EmpoweredGemSheet } from './empowered-gems.data.ts';
import { getFigures, incrementAt } from './gem-figures.domain.ts';
import {
  ABILITY_IDS,
  AUGMENT_IDS,
  BOOSTER_IDS,
  checkOptionalId,
  checkRequestedId,
  checkRollStat,
  ELEMENT_IDS,
  type Maybe,
  RESTRICTION_IDS,
  STAT_IDS,
  TIER_IDS,
  TYPE_IDS,
} from './gem-ids.domain.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  BOOSTERS,
  type BoosterId,
  COSMIC,
  ELEMENTS,
  type ElementId,
  KARMA_MAX,
  LIGHT,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  STATS,
  type StatId,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
  WATER,
} from './gem-lookups.data.ts';

interface Named<Id> {
  id: Id;
  name: string;
}

interface EmpoweredGem {
  element: string;
  slug: string;
  name: string;
  description: string;
  tiers: readonly TierId[];
  prefabs: string[];
  stats: readonly AbilityStat[];
  stages: readonly AbilityStage[];
  ability_id: AbilityId | null;
  class_name: string | null;
}

interface Lookups {
  tiers: (Named<TierId> & { max_level: number })[];
  types: Named<TypeId>[];
  elements: Named<ElementId>[];
  restrictions: Named<RestrictionId>[];
  stat_types: Named<StatId>[];
  augment_types: (Named<AugmentId> & { increase_percent: number })[];
  abilities: Named<AbilityId>[];
  abilities_by_element: Record<string, readonly AbilityId[]>;
  karma_max: number;
  boosters: (Named<BoosterId> & { chance_multiplier: number; double_multiplier: number })[];
  empowered_gems: EmpoweredGem[];
}

/** All ids of gem requests with their names. */
export function createGemLookups(): Lookups {
  return {
    tiers: TIER_IDS.map((id) => ({ id, name: TIERS[id].name, max_level: TIERS[id].maxLevel })),
    types: TYPE_IDS.map((id) => ({ id, name: TYPES[id] })),
    elements: ELEMENT_IDS.map((id) => ({ id, name: ELEMENTS[id].name })),
    restrictions: RESTRICTION_IDS.map((id) => ({ id, name: RESTRICTIONS[id].name })),
    stat_types: STAT_IDS.map((id) => ({ id, name: STATS[id] })),
    augment_types: AUGMENT_IDS.map((id) => ({ id, name: AUGMENTS[id].name, increase_percent: AUGMENTS[id].percent })),
    abilities: ABILITY_IDS.map((id) => ({ id, name: ABILITIES[id] })),
    abilities_by_element: Object.fromEntries(ELEMENT_IDS.map((id) => [ELEMENTS[id].name, ELEMENTS[id].abilities])),
    karma_max: KARMA_MAX,
    boosters: BOOSTER_IDS.map((id) => {
      const { name, chance, double } = BOOSTERS[id];
      return { id, name, chance_multiplier: chance, double_multiplier: double };
    }),
    empowered_gems: EMPOWERED_GEMS.flatMap(expandByElement).sort(byElementThenName),
  };
}

/** One entry for each element of the gem. */
function expandByElement(sheet: EmpoweredGemSheet): EmpoweredGem[] {
  const { slug, name, effect, abilityId, className, stats = [], stages = [] } = sheet;
  const prefabs = [...new Set([...stats, ...stages].map(({ prefab }) => prefab))];
  return (sheet.elements ?? ['Air', 'Fire', 'Water']).map((element) => ({
    element,
    slug,
    name,
    description: effect,
    tiers: sheet.tiers ?? TIER_IDS,
    prefabs,
    stats,
    stages,
    ability_id: abilityId ?? null,
    class_name: className ?? null,
  }));
}

/** Code-unit order, independent of the locale. */
function byElementThenName(left: EmpoweredGem, right: EmpoweredGem): number {
  const leftKey = `${left.element}\n${left.name}`;
  const rightKey = `${right.element}\n${right.name}`;
  return leftKey < rightKey ? -1 : leftKey > rightKey ? 1 : 0;
}

interface StatRangeRequest {
  tier: number;
  type: number;
  stat_type: number;
  level?: Maybe<number>;
  extra_containers?: Maybe<number>;
  element?: Maybe<number>;
}

interface StatRange {
  stat_type: RollStatId;
  stat_display_name: string;
  element: ElementId;
  containers: number;
  min_value: number;
  max_value: number;
  stat_base: number;
  thresholds: [lo: number, hi: number];
}

/** Lowest and highest displayed value of a stat at a level. */
export function calculateStatRange(request: StatRangeRequest): StatRange {
  const tier = checkRequestedId(request.tier, TIER_IDS, ['tier']);
  const type = checkRequestedId(request.type, TYPE_IDS, ['type']);
  const stat = checkRollStat(request.stat_type, ['stat_type']);
  const level = checkInteger(request.level ?? 1, ['level'], 1);
  const containers = 1 + checkInteger(request.extra_containers ?? 0, ['extra_containers'], 0);
  const element = checkOptionalId(request.element, ELEMENT_IDS, ['element'], stat === LIGHT ? COSMIC : WATER);

  const figures = getFigures(tier, type, element, stat);
  if (figures === null) throw new InputError('refused', ['element'], 'must be Cosmic for Light', [COSMIC]);
  const { statBase, lo, hi } = figures;
  const increment = incrementAt(tier, level);
  return {
    stat_type: stat,
    stat_display_name: STATS[stat],
    element,
    containers,
    min_value: statBase * (lo * containers + increment),
    max_value: statBase * (hi * containers + increment),
    stat_base: statBase,
    thresholds: [lo, hi],
  };
}
