import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import type { RandomSource, Seed } from '../../../platform/kit/random.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { CALCULATOR_BODY_LIMIT } from '../gems.data.ts';
import { levelUp, levelUpTo } from '../levels/level-up.domain.ts';
import type { Gem } from './gem.domain.ts';
import { GemBody } from './gem.schemas.ts';
import { augmentGem, flareGem, setGemLevel, sparkGem } from './gem-changes.domain.ts';
import { generateGem, type Rolls, rollsFor } from './gem-generate.domain.ts';
import type { Maybe } from './gem-ids.domain.ts';
import { parseGem } from './gem-parse.domain.ts';
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
const SEED_NOTE = 'With `seed`, the same body returns the same response.';

const generate = defineRoute({
  ...tool,
  path: '/v1/gems/generate',
  operationId: 'generateGem',
  summary: 'Roll a gem',
  description: `Rolls a new gem like the game. ${SEED_NOTE}`,
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
  description: `Rerolls a stat into another one allowed on the gem; its containers stay. A locked stat is unchanged. ${SEED_NOTE}`,
  body: ChangeStatInput,
  ok: { description: 'The gem and the cost in the game.', schema: PaidGemChangeBody },
});

const flare = defineRoute({
  ...tool,
  path: '/v1/gems/flare',
  operationId: 'flareGem',
  summary: 'Move a boost',
  description: `Moves the last boost of a stat to one of the other two. A stat without a boost is unchanged. ${SEED_NOTE}`,
  body: ChangeStatInput,
  ok: { description: 'The gem.', schema: GemChangeBody },
});

const attempt = defineRoute({
  ...tool,
  path: '/v1/gems/level-up',
  operationId: 'levelUpGem',
  summary: 'Attempt a level-up',
  description: `Attempts the next level once. A failure adds karma; the failure that fills the karma bar gains the level anyway. ${SEED_NOTE}`,
  body: LevelUpInput,
  ok: { description: 'Outcome, cost and the gem.', schema: LevelUpBody },
});

const attempts = defineRoute({
  ...tool,
  path: '/v1/gems/level-up-to',
  operationId: 'levelUpGemTo',
  summary: 'Level up to a target',
  description: `Repeats \`level-up\` until the target level or the maximum number of attempts is reached. ${SEED_NOTE}`,
  body: LevelUpToInput,
  ok: { description: 'Totals of all attempts and the gem.', schema: LevelUpToBody },
});

const setLevel = defineRoute({
  ...tool,
  path: '/v1/gems/set-level',
  operationId: 'setGemLevel',
  summary: 'Set a gem level',
  description: `Sets the level of a gem, adjusts its number of boosts to that level and empties the karma bar. ${SEED_NOTE}`,
  body: SetLevelInput,
  ok: { description: 'The gem.', schema: GemChangeBody },
});

interface SeededInput {
  body: { seed?: Maybe<Seed> };
  now: UnixSeconds;
}

/** A request with a gem. */
interface GemInputRequest {
  body: { gem: unknown; seed?: Maybe<Seed> };
  now: UnixSeconds;
}

/** Endpoints of the simulator. Stateless: clients store the gem and send it back. */
export function createGemToolEndpoints(random: RandomSource): Endpoint[] {
  /** Responds with the result of a rule; the rule gets the rolls of the seed. */
  const runRule = <Result>({ body, now }: SeededInput, rule: (rolls: Rolls) => Result) =>
    json(applyRule('body', body, () => rule(rollsFor(body.seed, random, now))));

  /** Like `roll`, for a rule that also gets the validated gem of the body. */
  const runGemRule = <Result>({ body, now }: GemInputRequest, rule: (gem: Gem, rolls: Rolls) => Result) =>
    runRule({ body, now }, (rolls) => rule(parseGem(body.gem, rolls.newId), rolls));

  return [
    generate.handle((input) => runRule(input, (rolls) => generateGem(input.body, rolls))),
    augment.handle((input) => runGemRule(input, (gem) => augmentGem(gem, input.body.stat_position, input.body.augment_type))),
    spark.handle((input) => runGemRule(input, (gem, rolls) => sparkGem(gem, input.body.stat_position, rolls))),
    flare.handle((input) => runGemRule(input, (gem, rolls) => flareGem(gem, input.body.stat_position, rolls))),
    attempt.handle((input) => runGemRule(input, (gem, rolls) => levelUp(gem, input.body.booster, rolls))),
    attempts.handle((input) => {
      const { level, booster, max_attempts } = input.body;
      return runGemRule(input, (gem, rolls) => levelUpTo(gem, level, booster, max_attempts, rolls));
    }),
    setLevel.handle((input) => runGemRule(input, (gem, rolls) => setGemLevel(gem, input.body.level, rolls))),
  ];
}
