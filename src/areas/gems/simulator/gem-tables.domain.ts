import { checkInteger, InputError } from '../../../platform/kit/errors/input-error.ts';
import {
  ABILITIES,
  AUGMENTS,
  BOOSTERS,
  COSMIC,
  ELEMENTS,
  KARMA_MAX,
  LIGHT,
  RESTRICTIONS,
  RETIRED_STATS,
  STATS,
  TIERS,
  TYPES,
  WATER,
} from '../gem.data.ts';
import { getFigures, incrementAt } from '../gem-figures.domain.ts';
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
} from '../gem-input.domain.ts';
import { EMPOWERED_GEMS, type EmpoweredGemSheet } from './empowered-gems.data.ts';

/** All ids of gem requests with their names. */
export function createGemLookups() {
  return {
    tiers: TIER_IDS.map((id) => ({ id, name: TIERS[id].name, max_level: TIERS[id].maxLevel })),
    types: TYPE_IDS.map((id) => ({ id, name: TYPES[id] })),
    elements: ELEMENT_IDS.map((id) => ({ id, name: ELEMENTS[id].name })),
    restrictions: RESTRICTION_IDS.map((id) => ({ id, name: RESTRICTIONS[id].name })),
    stat_types: STAT_IDS.map((id) => ({ id, name: STATS[id], retired: RETIRED_STATS.includes(id) })),
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

type EmpoweredGem = ReturnType<typeof expandByElement>[number];

/** One entry for each element of the gem. */
function expandByElement(sheet: EmpoweredGemSheet) {
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

/** Lowest and highest displayed value of a stat at a level. */
export function calculateStatRange(request: StatRangeRequest) {
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
