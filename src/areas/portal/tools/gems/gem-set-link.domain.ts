import { GEM_SLOTS, type SetGem, type SetStat, type SetStats } from '../../../gems/builds/gem-set.domain.ts';
import { COSMIC, CRITICAL_DAMAGE, EMPOWERED, LIGHT, MAX_HEALTH, PHYSICAL_DAMAGE, type RollStatId, TIERS } from '../../../gems/gem.data.ts';
import { countBoosts } from '../../../gems/gem-figures.domain.ts';
import { ROLL_STAT_IDS, TIER_IDS } from '../../../gems/gem-input.domain.ts';
import { type Field, integerIn, numberIn, oneOf } from '../frame/state.domain.ts';
import { type BoostSplit, splitsOf } from './boost-splits.domain.ts';
import { checkChoices } from './gem-check.domain.ts';

const MAX_BOOSTS = countBoosts(Number.MAX_SAFE_INTEGER);
const SPLITS = Array.from({ length: MAX_BOOSTS + 1 }, (_, boosts) => splitsOf(boosts)).flat();

/** Boosts of the three stats in a link: `300`. */
export const boostsField: Field<BoostSplit> = {
  initial: [1, 1, 1],
  write: (split) => split.join(''),
  read: (text) => SPLITS.find((split) => split.join('') === text),
};

/** Stats that the gem of a place can have at a position beside its others. The first stat of a Cosmic gem is Light. */
export function setStatChoices({ element, stats }: Pick<SetGem, 'element' | 'stats'>, position: number): RollStatId[] {
  if (element === COSMIC && position === 0) return [LIGHT];
  return checkChoices(
    stats.map(({ type }) => type),
    position,
  ).filter((type) => type !== LIGHT);
}

/** The set of the example: gems on the way to the maximum. */
const EXAMPLE: readonly SetGem[] = GEM_SLOTS.map(({ element, type }) => {
  const stat = (id: RollStatId, boosts: number): SetStat => ({ type: id, progress: 0.75, boosts });
  const [ofDamage, ofCritical] = type === EMPOWERED ? [3, 0] : [0, 3];
  const stats: SetStats =
    element === COSMIC
      ? [stat(LIGHT, 3), stat(PHYSICAL_DAMAGE, 0), stat(CRITICAL_DAMAGE, 0)]
      : [stat(PHYSICAL_DAMAGE, ofDamage), stat(CRITICAL_DAMAGE, ofCritical), stat(MAX_HEALTH, 0)];
  return { element, type, tier: 4, level: 25, stats };
});

const tierField = oneOf(TIER_IDS, 4);
const statField = oneOf(ROLL_STAT_IDS, PHYSICAL_DAMAGE);
const percentField = numberIn(0, 100, 0);
const levelField = (maxLevel: number) => integerIn(1, maxLevel, 1);

/** Percent of a roll as in links and fields. */
export const percentOf = (progress: number) => Math.round(progress * 10_000) / 100;

/** A gem in a link: `4-25-1-3-5-300-75-75-75`: tier, level, three stats, boosts, three percentages. Its place gives type and element. */
function writeSetGem({ tier, level, stats }: SetGem): string {
  const boosts = stats.map((stat) => stat.boosts).join('');
  return [tier, level, ...stats.map(({ type }) => type), boosts, ...stats.map(({ progress }) => percentOf(progress))].join('-');
}

function readSetGem(text: string, place: number): SetGem | undefined {
  const slot = GEM_SLOTS[place];
  const [tierText = '', levelText = '', s1 = '', s2 = '', s3 = '', boostsText = '', p1 = '', p2 = '', p3 = '', ...rest] = text.split('-');
  const tier = tierField.read(tierText);
  const level = tier && levelField(TIERS[tier].maxLevel).read(levelText);
  const boosts = boostsField.read(boostsText);
  const types = [s1, s2, s3].map((id) => statField.read(id));
  const percents = [p1, p2, p3].map((percent) => percentField.read(percent));
  if (!slot || !tier || !level || !boosts || rest.length > 0) return undefined;
  const stats = types.map((type, index) => ({
    type,
    progress: (percents[index] ?? -1) / 100,
    boosts: boosts[index] ?? 0,
  })) as unknown as SetStats;
  const gem: SetGem = { ...slot, tier, level, stats };
  const isWhole = stats.every(({ type, progress }, index) => progress >= 0 && setStatChoices(gem, index).includes(type));
  return isWhole && boosts.reduce((sum, count) => sum + count, 0) === countBoosts(level) ? gem : undefined;
}

/** The gems of a character in a link, in the order of their places. */
export const setField: Field<readonly SetGem[]> = {
  initial: EXAMPLE,
  write: (gems) => gems.map(writeSetGem).join('~'),
  read(text) {
    const gems = text.split('~').map(readSetGem);
    return gems.length === GEM_SLOTS.length && gems.every((gem) => gem !== undefined) ? gems : undefined;
  },
};
