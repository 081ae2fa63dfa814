import { type AbilityStage, type AbilityStat, EMPOWERED_GEMS, type EmpoweredGemSheet } from './empowered-gems.data.ts';
import { ABILITY_IDS, AUGMENT_IDS, BOOSTER_IDS, ELEMENT_IDS, RESTRICTION_IDS, STAT_IDS, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  BOOSTERS,
  type BoosterId,
  ELEMENTS,
  type ElementId,
  KARMA_MAX,
  RESTRICTIONS,
  type RestrictionId,
  STATS,
  type StatId,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
} from './gem-lookups.data.ts';

export interface Named<Id> {
  id: Id;
  name: string;
}

export interface EmpoweredGem {
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

export interface Lookups {
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
