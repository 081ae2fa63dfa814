import { z } from '@hono/zod-openapi';
import { type BoundResource, defineResource } from '../../../platform/area/resource.ts';
import type { EventSource } from '../../../platform/events/event-source.ts';
import { integer, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant, rotation } from '../computed/computed.schemas.ts';
import { visitCondition, visitFacts } from '../computed/merchants.resource.ts';
import type { LuxionWindow } from '../schedules/luxion.domain.ts';
import type { LuxionStore } from './luxion.store.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    luxion: LuxionState;
  }
}

const PURPLE = '#B48CF2';
const LUXION_RUN_SECONDS = 7 * SECONDS_PER_DAY + 8 * SECONDS_PER_HOUR;

const LuxionWindowBody = z
  .object({
    starts_at: integer('Start of the window (unix seconds).', 1_784_685_600),
    ends_at: integer('End of the window, exclusive (unix seconds).', 1_784_696_400),
    state: z.string().openapi({ description: 'Position of the window in the run: `Day 1` to `Day 7`.', example: 'Day 1' }),
  })
  .openapi('LuxionWindow', { description: 'A window in which the merchant trades.' });

const LuxionBody = z
  .object({
    active: z.boolean().openapi({ description: 'Whether a run of the merchant has begun and not ended.', example: true }),
    merchant_open: z.boolean().openapi({ description: 'Whether the merchant trades now.', example: true }),
    starts_at: integer(
      'Start of the newest run: its first sighting (unix seconds); null before the first report.',
      1_784_646_360,
    ).nullable(),
    ends_at: integer('End of the newest run (unix seconds); null before the first report.', 1_785_279_600).nullable(),
    seconds_remaining: z
      .number()
      .int()
      .openapi({ description: 'Seconds until the window closes or opens, otherwise until the run ends; 0 after the run.', example: 7200 }),
    current_window: orNull(LuxionWindowBody, 'Open window; null while closed.'),
    next_window: orNull(LuxionWindowBody, 'Next window of the run; null when there is none.'),
    schedule: z.array(LuxionWindowBody).openapi({ description: 'Windows of the newest run, earliest first, at most seven.' }),
    first_seen_at: isoInstant('First sighting of the newest run; null before the first report.').nullable(),
    last_seen_at: isoInstant('Last sighting of the newest run; null before the first report.').nullable(),
  })
  .openapi('Luxion', { description: 'The captured merchant Luxion: its newest reported run.' });

type Runs = Pick<LuxionStore, 'luxion' | 'invalidateReads'>;
type LuxionState = z.infer<typeof LuxionBody>;

const toWindowBody = ({ starts_at, ends_at, position }: LuxionWindow) => ({ starts_at, ends_at, state: `Day ${position}` });

const luxionWindow = (body: LuxionState) => (body.merchant_open ? body.current_window : body.next_window);

/** One event at the detection of a run and one per window. The message shows the open window, otherwise the next one. */
export const luxion = defineResource(LuxionBody)({
  ...rotation,
  path: '/v1/rotations/luxion',
  operationId: 'getLuxion',
  summary: 'Get the Luxion timer',
  description:
    'Returns the newest run of the merchant Luxion. Runs are reported, not computed: a run begins with its first sighting and has up to seven windows of three hours, 27 hours apart.',
  ok: 'The merchant.',
  async read({ now }, runs: Runs) {
    const { active, run, secondsRemaining, currentWindow, nextWindow, schedule } = await runs.luxion(now);
    return {
      active,
      merchant_open: currentWindow !== null,
      starts_at: run?.starts_at ?? null,
      ends_at: run?.ends_at ?? null,
      seconds_remaining: secondsRemaining,
      current_window: currentWindow && toWindowBody(currentWindow),
      next_window: nextWindow && toWindowBody(nextWindow),
      schedule: schedule.map(toWindowBody),
      first_seen_at: run && toIso(run.firstSeenAt),
      last_seen_at: run && toIso(run.lastSeenAt),
    };
  },
  represent: (body) => jsonWithClock(body, ['seconds_remaining']),
  event: {
    type: 'luxion',
    isOnRequest: true,
    label: 'Luxion',
    summary: 'The merchant Luxion was reported',
    hint: 'the merchant, when a run or a window of it is reported',
    conditions: [visitCondition('Luxion', false)],
    factsOf: ({ merchant_open: isOpen }) => (isOpen ? visitFacts(true) : []),
    sample(now) {
      const opensAt = floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
      const window = { starts_at: opensAt, ends_at: opensAt + 3 * SECONDS_PER_HOUR, state: 'Day 1' };
      const startsAt = opensAt - 11 * SECONDS_PER_HOUR;
      const endsAt = startsAt + LUXION_RUN_SECONDS;
      return {
        active: true,
        merchant_open: true,
        starts_at: startsAt,
        ends_at: endsAt,
        seconds_remaining: endsAt - now,
        current_window: window,
        next_window: null,
        schedule: [window],
        first_seen_at: toIso(startsAt),
        last_seen_at: toIso(startsAt),
      };
    },
    chat: {
      text: {
        title: 'Luxion: {state}',
        color: PURPLE,
        fields: [
          ['Opens', '{opens_at:R}'],
          ['Closes', '{closes_at:R}'],
        ],
      },
      keyOf: (body) => `luxion:${body.starts_at}:${luxionWindow(body)?.starts_at}:${body.merchant_open ? 'open' : 'closed'}`,
      variablesOf(body) {
        const window = luxionWindow(body);
        if (body.starts_at === null || !window) return null;
        return {
          state: window.state,
          status: body.merchant_open ? 'open' : 'closed',
          starts_at: body.starts_at,
          ends_at: body.ends_at,
          opens_at: window.starts_at,
          closes_at: window.ends_at,
        };
      },
    },
    refresh: (runs) => runs.invalidateReads(),
    /**
     * Changes with the run, and with the first report after each opening. It depends on the time of the newest report, so only reports
     * publish messages. Null while no run is active.
     */
    signature({ active, starts_at, last_seen_at, schedule }) {
      if (!active || last_seen_at === null) return null;
      const opened = schedule.findLast((window) => toIso(window.starts_at) <= last_seen_at);
      return opened ? `${starts_at}:${opened.starts_at}` : `${starts_at}`;
    },
  },
});

/** The merchant with its runs. Unlike other resources it has no state in the event stream while its signature is null. */
export function bindLuxion(runs: Runs): BoundResource {
  const bound = luxion.bind(runs);
  const source = bound.eventSource;
  if (!source) return bound;
  const stateAt: EventSource['stateAt'] = async (now, settings) => {
    const state = await source.stateAt(now, settings);
    return state?.signature == null ? null : state;
  };
  return { ...bound, eventSource: { ...source, stateAt } };
}
