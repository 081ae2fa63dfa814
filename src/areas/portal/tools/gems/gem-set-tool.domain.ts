import { roundTo } from '../../../../platform/kit/values/numbers.ts';
import { TOP_TIER } from '../../../gems/builds/builds-formula.domain.ts';
import { resolveBuild } from '../../../gems/builds/builds-request.domain.ts';
import {
  calculateSetGem,
  calculateWithSet,
  GEM_SLOTS,
  type SetGem,
  type SetStats,
  sumGemSet,
} from '../../../gems/builds/gem-set.domain.ts';
import {
  COSMIC,
  ELEMENTS,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  type RollStatId,
  STATS,
  TIERS,
  type TierId,
  TYPES,
} from '../../../gems/gem.data.ts';
import { buildRequest, damageTypeOf, readBuild } from '../builds/builds-tool.domain.ts';
import { type BoostSplit, fitSplit } from './boost-splits.domain.ts';
import { isPercentStat } from './gem-check.domain.ts';
import type { GemsState } from './gems-tool.domain.ts';

type SetState = Pick<GemsState, 'set' | 'slot' | 'character'>;

/** Name of a place: `Water, Lesser 2`. */
export function slotName(place: number): string {
  const slot = GEM_SLOTS[place];
  if (!slot) return '';
  const same = GEM_SLOTS.filter(({ element, type }) => element === slot.element && type === slot.type);
  const order = same.indexOf(slot) + 1;
  return `${ELEMENTS[slot.element].name}, ${TYPES[slot.type]}${same.length > 1 ? ` ${order}` : ''}`;
}

export function viewSet({ set, character }: SetState) {
  const build = readBuild(character);
  const sum = sumGemSet(set);
  const damageType = damageTypeOf(build.class);
  const otherDamage: RollStatId = damageType === 'Magic' ? PHYSICAL_DAMAGE : MAGIC_DAMAGE;
  return {
    build,
    sum,
    figures: calculateWithSet(resolveBuild(buildRequest(build)), sum),
    gems: set.map((gem, place) => ({ gem, name: slotName(place), ...calculateSetGem(gem) })),
    stats: [...sum.stats]
      .toSorted(([one], [other]) => one - other)
      .map(([type, value]) => ({ type, name: STATS[type], value: roundTo(value, 2), isPercent: isPercentStat(type) })),
    damageType,
    /** Gems with damage that the class does not use. */
    unused: set.filter(({ stats }) => stats.some(({ type }) => type === otherDamage)).length,
  };
}

export type SetView = ReturnType<typeof viewSet>;

/** The result as JSON. */
export function setJson({ build, sum, figures, gems, stats }: SetView) {
  return {
    character: buildRequest(build),
    power_rank: sum.powerRank,
    quality: roundTo(sum.quality, 4),
    stats: stats.map(({ type, name, value }) => ({ type, name, value })),
    ...figures,
    gems: gems.map(({ gem, powerRank, quality, values }) => ({
      tier: gem.tier,
      type: gem.type,
      element: gem.element,
      level: gem.level,
      power_rank: powerRank,
      quality: roundTo(quality, 4),
      stats: gem.stats.map((stat, index) => ({ type: stat.type, extra_containers: stat.boosts, value: roundTo(values[index] ?? 0, 2) })),
    })),
  };
}

/** The gem at another level, with the boosts of that level. */
export function atLevel(gem: SetGem, level: number): SetGem {
  return withBoosts({ ...gem, level }, fitSplit(gem.stats.map(({ boosts }) => boosts) as unknown as BoostSplit, level));
}

export const atTier = (gem: SetGem, tier: TierId): SetGem => atLevel({ ...gem, tier }, Math.min(gem.level, TIERS[tier].maxLevel));

export const withBoosts = (gem: SetGem, split: BoostSplit): SetGem =>
  mapStats(gem, (stat, index) => ({ ...stat, boosts: split[index] ?? 0 }));

export function mapStats(gem: SetGem, map: (stat: SetStats[number], index: number) => SetStats[number]): SetGem {
  return { ...gem, stats: gem.stats.map(map) as unknown as SetStats };
}

/** The gem of the highest tier at its maximum, every roll perfect. */
export function perfected(gem: SetGem): SetGem {
  return mapStats(atLevel({ ...gem, tier: TOP_TIER }, TIERS[TOP_TIER].maxLevel), (stat) => ({ ...stat, progress: 1 }));
}

/** The gem with the damage of a class instead of the other one. */
export function withDamage(gem: SetGem, damageType: SetView['damageType']): SetGem {
  const [wanted, other]: RollStatId[] = damageType === 'Magic' ? [MAGIC_DAMAGE, PHYSICAL_DAMAGE] : [PHYSICAL_DAMAGE, MAGIC_DAMAGE];
  return mapStats(gem, (stat) => (stat.type === other && wanted !== undefined ? { ...stat, type: wanted } : stat));
}

/** The set with the gem of a place at every place of the same type that can have its stats: Cosmic gems have Light. */
export function copiedToType(set: readonly SetGem[], place: number): SetGem[] {
  const source = set[place];
  return set.map((gem) =>
    source && gem.type === source.type && isCosmic(gem) === isCosmic(source) ? { ...source, element: gem.element } : gem,
  );
}

const isCosmic = ({ element }: SetGem) => element === COSMIC;
