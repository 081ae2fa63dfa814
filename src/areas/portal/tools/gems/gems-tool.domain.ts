import { seededRandom } from '../../../../platform/kit/random.ts';
import { GEM_SLOTS, type SetGem } from '../../../gems/builds/gem-set.domain.ts';
import type { AugmentId, BoosterId, RollStatId, TierId, TypeId } from '../../../gems/gem.data.ts';
import { TIERS } from '../../../gems/gem.data.ts';
import type { Gem } from '../../../gems/gem.domain.ts';
import { AUGMENT_IDS, BOOSTER_IDS, ROLL_STAT_IDS, TIER_IDS, TYPE_IDS } from '../../../gems/gem-input.domain.ts';
import { buildField } from '../builds/builds-tool.domain.ts';
import { amountsOf, type Fields, integerIn, numberIn, oneOf } from '../frame/state.domain.ts';
import { type BoostSplit, fitSplit } from './boost-splits.domain.ts';
import { COST_ITEMS, exampleGem, type Spent } from './gem-builder.domain.ts';
import { CHECK_BY, type CheckInput } from './gem-check.domain.ts';
import { gemField } from './gem-code.domain.ts';
import { boostsField, setField } from './gem-set-link.domain.ts';

export const MODES = ['build', 'check', 'set'] as const;

export interface GemsState {
  mode: (typeof MODES)[number];
  gem: Gem;
  spent: Spent;
  booster: BoosterId | 'none';
  focus: AugmentId;
  /** Level to reach. */
  to: number;
  /** The checked gem. */
  tier: TierId;
  type: TypeId;
  level: number;
  by: CheckInput['by'];
  s1: RollStatId;
  s2: RollStatId;
  s3: RollStatId;
  v1: number;
  v2: number;
  v3: number;
  p1: number;
  p2: number;
  p3: number;
  boosts: BoostSplit;
  rank: number;
  /** The gems of a character by place, the place that is edited, and the character as in a link of the build optimizer. */
  set: readonly SetGem[];
  slot: number;
  character: string;
}

const MAX_LEVEL = Math.max(...Object.values(TIERS).map(({ maxLevel }) => maxLevel));
/** Maximum of typed values: more than any stat of a gem has. */
const MAX_VALUE = 1e9;
const MAX_SPENT = 1e12;

export const gemsFields: Fields<GemsState> = {
  mode: oneOf(MODES, 'build'),
  gem: gemField(exampleGem(seededRandom('example'))),
  spent: amountsOf(COST_ITEMS.length, () => MAX_SPENT),
  booster: oneOf(['none', ...BOOSTER_IDS], 'none'),
  focus: oneOf(AUGMENT_IDS, 3),
  to: integerIn(1, MAX_LEVEL, MAX_LEVEL),
  tier: oneOf(TIER_IDS, 4),
  type: oneOf(TYPE_IDS, 1),
  level: integerIn(1, MAX_LEVEL, 15),
  by: oneOf(CHECK_BY, 'stats'),
  s1: oneOf(ROLL_STAT_IDS, 1),
  s2: oneOf(ROLL_STAT_IDS, 3),
  s3: oneOf(ROLL_STAT_IDS, 5),
  v1: numberIn(0, MAX_VALUE, 14_300),
  v2: numberIn(0, MAX_VALUE, 98.5),
  v3: numberIn(0, MAX_VALUE, 71_000),
  p1: numberIn(0, 100, 80),
  p2: numberIn(0, 100, 65.5),
  p3: numberIn(0, 100, 40),
  boosts: boostsField,
  rank: integerIn(0, 100_000, 1500),
  set: setField,
  slot: integerIn(0, GEM_SLOTS.length - 1, 0),
  character: buildField,
};

export const checkInputOf = (state: GemsState): CheckInput => ({
  tier: state.tier,
  type: state.type,
  level: state.level,
  by: state.by,
  types: [state.s1, state.s2, state.s3],
  values: [state.v1, state.v2, state.v3],
  percents: [state.p1, state.p2, state.p3],
  boosts: state.boosts,
  rank: state.rank,
});

export const boosterOf = ({ booster }: GemsState): BoosterId | null => (booster === 'none' ? null : booster);

/** Levels that the tiers have. */
export function adjustGems(state: GemsState): GemsState {
  return {
    ...state,
    level: Math.min(state.level, TIERS[state.tier].maxLevel),
    boosts: fitSplit(state.boosts, Math.min(state.level, TIERS[state.tier].maxLevel)),
    to: Math.min(Math.max(state.to, Math.min(state.gem.level + 1, TIERS[state.gem.tier].maxLevel)), TIERS[state.gem.tier].maxLevel),
  };
}
