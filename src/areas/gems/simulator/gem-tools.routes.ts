import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { applyRule } from '../../../platform/errors/input-fault.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { RandomSource, Seed } from '../../../platform/values/random-source.ts';
import { levelUp, levelUpTo } from '../levels/level-up.domain.ts';
import { CALCULATOR_BODY_LIMIT } from '../limits.data.ts';
import type { Gem } from './gem.domain.ts';
import { GemBody } from './gem.schemas.ts';
import { augmentGem, flareGem, setGemLevel, sparkGem } from './gem-changes.domain.ts';
import { generateGem } from './gem-generate.domain.ts';
import type { Maybe } from './gem-ids.domain.ts';
import { parseGem } from './gem-parse.domain.ts';
import { type Rolls, rollsFor } from './gem-rolls.domain.ts';
import {
  AugmentGemInput,
  ChangeStatInput,
  GemChangeBody,
  GenerateInput,
  LevelUpBody,
  LevelUpInput,
  LevelUpToBody,
  LevelUpToInput,
  PaidGemChangeBody,
  SetLevelInput,
} from './gem-tools.schemas.ts';

const tool = {
  method: 'post',
  tag: 'Gems',
  access: tokenAccess('gems:read'),
  isStateless: true,
  bodyLimit: CALCULATOR_BODY_LIMIT,
  errors: ['bad_request'],
} as const;
const SEEDED = 'With `seed`, the same body returns the same response.';

const generate = defineRoute({
  ...tool,
  path: '/v1/gems/generate',
  operationId: 'generateGem',
  summary: 'Roll a gem',
  description: `Rolls a new gem like the game. ${SEEDED}`,
  body: GenerateInput,
  bodyIsOptional: true,
  ok: { description: 'The new gem.', schema: GemBody },
});

const augment = defineRoute({
  ...tool,
  path: '/v1/gems/augment',
  operationId: 'augmentGem',
  summary: 'Apply a focus',
  description: 'Applies a focus to the first container of a stat that is not full; it may overflow. A maxed stat is unchanged.',
  body: AugmentGemInput,
  ok: { description: 'The gem and the focus used.', schema: PaidGemChangeBody },
});

const spark = defineRoute({
  ...tool,
  path: '/v1/gems/spark',
  operationId: 'sparkGem',
  summary: 'Reroll a stat type',
  description: `Rerolls a stat into another one allowed on the gem; its containers stay. A locked stat is unchanged. ${SEEDED}`,
  body: ChangeStatInput,
  ok: { description: 'The gem and the cost in the game.', schema: PaidGemChangeBody },
});

const flare = defineRoute({
  ...tool,
  path: '/v1/gems/flare',
  operationId: 'flareGem',
  summary: 'Move a boost',
  description: `Moves the last boost of a stat to one of the other two. A stat without a boost is unchanged. ${SEEDED}`,
  body: ChangeStatInput,
  ok: { description: 'The gem.', schema: GemChangeBody },
});

const attempt = defineRoute({
  ...tool,
  path: '/v1/gems/level-up',
  operationId: 'levelUpGem',
  summary: 'Attempt a level-up',
  description: `Attempts the next level once. A failure adds karma; the failure that fills the karma bar gains the level anyway. ${SEEDED}`,
  body: LevelUpInput,
  ok: { description: 'Outcome, cost and the gem.', schema: LevelUpBody },
});

const attempts = defineRoute({
  ...tool,
  path: '/v1/gems/level-up-to',
  operationId: 'levelUpGemTo',
  summary: 'Level up to a target',
  description: `Repeats \`level-up\` until the target level or the maximum number of attempts is reached. ${SEEDED}`,
  body: LevelUpToInput,
  ok: { description: 'Totals of all attempts and the gem.', schema: LevelUpToBody },
});

const setLevel = defineRoute({
  ...tool,
  path: '/v1/gems/set-level',
  operationId: 'setGemLevel',
  summary: 'Set a gem level',
  description: `Sets the level of a gem, adjusts its number of boosts to that level and empties the karma bar. ${SEEDED}`,
  body: SetLevelInput,
  ok: { description: 'The gem.', schema: GemChangeBody },
});

interface Rolled {
  body: { seed?: Maybe<Seed> };
  now: UnixSeconds;
}

/** A request about a posted gem. */
interface RolledGem {
  body: { gem: unknown; seed?: Maybe<Seed> };
  now: UnixSeconds;
}

/** The simulator. It keeps nothing: clients hold the gem and send it back. */
export function createGemToolEndpoints(random: RandomSource): Endpoint[] {
  /** Answers with what a rule makes of the body and of what it draws. */
  const roll = <Result>({ body, now }: Rolled, rule: (rolls: Rolls) => Result) =>
    json(applyRule('body', body, () => rule(rollsFor(body.seed, random, now))));

  /** The same for a rule about the posted gem. */
  const change = <Result>({ body, now }: RolledGem, rule: (gem: Gem, rolls: Rolls) => Result) =>
    roll({ body, now }, (rolls) => rule(parseGem(body.gem, rolls.newId), rolls));

  return [
    generate.handle((input) => roll(input, (rolls) => generateGem(input.body, rolls))),
    augment.handle((input) => change(input, (gem) => augmentGem(gem, input.body.stat_position, input.body.augment_type))),
    spark.handle((input) => change(input, (gem, rolls) => sparkGem(gem, input.body.stat_position, rolls))),
    flare.handle((input) => change(input, (gem, rolls) => flareGem(gem, input.body.stat_position, rolls))),
    attempt.handle((input) => change(input, (gem, rolls) => levelUp(gem, input.body.booster, rolls))),
    attempts.handle((input) => {
      const { level, booster, max_attempts } = input.body;
      return change(input, (gem, rolls) => levelUpTo(gem, level, booster, max_attempts, rolls));
    }),
    setLevel.handle((input) => change(input, (gem, rolls) => setGemLevel(gem, input.body.level, rolls))),
  ];
}
