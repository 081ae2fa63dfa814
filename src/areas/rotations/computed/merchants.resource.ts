import { z } from '@hono/zod-openapi';
import { defineResource } from '../../../platform/area/resource.ts';
import type { ConditionDeclaration } from '../../../platform/events/event-declaration.ts';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import {
  corruxionAt,
  corruxionNextChangeAt,
  FLUXION_STATES,
  FLUXION_WINDOW_STATES,
  fluxionAt,
  fluxionNextChangeAt,
} from '../schedules/computed.domain.ts';
import { corruxionRules, fluxionRules } from '../schedules/schedules.data.ts';
import { Active, rotation, SecondsRemaining, windowAround, windowFields } from './computed.schemas.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    corruxion: z.infer<typeof CorruxionBody>;
    fluxion: z.infer<typeof FluxionBody>;
  }
}

const GREEN = '#46D39A';
const VISIT_SECONDS = 3 * SECONDS_PER_DAY;

/** Arrival and departure of a merchant. `hasDepartures`: whether the stream reports them. */
export function visitCondition(merchant: string, hasDepartures = true): ConditionDeclaration {
  return {
    name: 'change',
    label: hasDepartures ? `${merchant} arrives or leaves` : `${merchant} arrives`,
    valueLabel: 'When the merchant',
    choices: [['arrives', 'arrives'], ...(hasDepartures ? ([['leaves', 'leaves']] as const) : [])],
    sentence: (values) => `${merchant} ${values}`,
    seen: (values) => `the last time, ${merchant} ${values === 'arrives' ? 'arrived' : 'left'}`,
  };
}

/** Facts of `visitCondition`. */
export const visitFacts = (isHere: boolean) => [{ name: 'change', value: isHere ? 'arrives' : 'leaves' }];

const VisitBody = z.object(windowFields).openapi('MerchantVisit', { description: 'One visit of a merchant.' });
const CorruxionBody = z
  .object({
    active: Active,
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(VisitBody).openapi({ description: 'Current or next visit and later ones, earliest first.' }),
  })
  .openapi('Corruxion', { description: 'Visits of the Corruxion merchant.' });

export const corruxion = defineResource(CorruxionBody)({
  ...rotation,
  path: '/v1/rotations/corruxion',
  operationId: 'getCorruxion',
  summary: 'Get the Corruxion timer',
  description:
    'Returns whether the merchant Corruxion is present, the current or next visit, and upcoming visits: three days every two weeks from Friday 11:00 UTC.',
  read: ({ now }) => corruxionAt(now, corruxionRules),
  represent: (body) => jsonWithClock(body, ['seconds_remaining']),
  event: {
    type: 'corruxion',
    row: 3,
    label: 'Corruxion',
    summary: 'Corruxion arrived or left',
    hint: 'when the merchant arrives or leaves',
    conditions: [visitCondition('Corruxion')],
    factsOf: ({ active }) => visitFacts(active),
    sample: (now) => ({ active: true, ...windowAround(now, VISIT_SECONDS), seconds_remaining: SECONDS_PER_DAY, schedule: [] }),
    chat: {
      text: { title: 'Corruxion {status}', color: GREEN, fields: [['{next}', '{changes_at:R}']] },
      keyOf: ({ starts_at: startsAt, active }) => `corruxion:${startsAt}:${active}`,
      variablesOf: ({ active, starts_at: startsAt, ends_at: endsAt }) => ({
        status: active ? 'is here' : 'has left',
        next: active ? 'Leaves' : 'Returns',
        changes_at: active ? endsAt : startsAt,
        starts_at: startsAt,
        ends_at: endsAt,
      }),
    },
    changesAt: (now) => corruxionNextChangeAt(now, corruxionRules),
    signature: ({ starts_at, active }) => `${starts_at}:${active}`,
  },
});

const FluxionVisitBody = z
  .object({ ...windowFields, state: enumOf(FLUXION_WINDOW_STATES).openapi({ description: 'State of the window.', example: 'voting' }) })
  .openapi('FluxionVisit', { description: 'One window of the Fluxion merchant.' });

const FluxionBody = z
  .object({
    active: Active,
    state: enumOf(FLUXION_STATES).openapi({ description: 'State of the open window, or `away` between windows.', example: 'voting' }),
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(FluxionVisitBody).openapi({ description: 'Current or next window and later ones, earliest first.' }),
  })
  .openapi('Fluxion', { description: 'Windows of the Fluxion merchant.' });

export const fluxion = defineResource(FluxionBody)({
  ...rotation,
  path: '/v1/rotations/fluxion',
  operationId: 'getFluxion',
  summary: 'Get the Fluxion timer',
  description:
    'Returns the windows of the merchant Fluxion: three days every week from Tuesday 11:00 UTC, alternating between voting and selling.',
  read: ({ now }) => fluxionAt(now, fluxionRules),
  represent: (body) => jsonWithClock(body, ['seconds_remaining']),
  event: {
    type: 'fluxion',
    row: 4,
    label: 'Fluxion',
    summary: 'Fluxion arrived, left or changed its state',
    hint: 'when the merchant arrives or leaves, or the vote ends',
    conditions: [visitCondition('Fluxion')],
    factsOf: ({ active }) => visitFacts(active),
    sample: (now) => ({
      active: true,
      state: 'voting',
      ...windowAround(now, VISIT_SECONDS),
      seconds_remaining: SECONDS_PER_DAY,
      schedule: [],
    }),
    chat: {
      text: { title: 'Fluxion: {status}', color: GREEN, fields: [['{next}', '{changes_at:R}']] },
      keyOf: ({ starts_at: startsAt, state }) => `fluxion:${startsAt}:${state}`,
      variablesOf: ({ active, state, starts_at: startsAt, ends_at: endsAt }) => ({
        status: state,
        next: active ? 'Ends' : 'Starts',
        changes_at: active ? endsAt : startsAt,
        starts_at: startsAt,
        ends_at: endsAt,
      }),
    },
    changesAt: (now) => fluxionNextChangeAt(now, fluxionRules),
    signature: ({ starts_at, state }) => `${starts_at}:${state}`,
  },
});
