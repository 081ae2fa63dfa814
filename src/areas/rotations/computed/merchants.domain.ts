import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import {
  type Cycle,
  cycleWindow,
  cyclicAt,
  indexEndingAfter,
  indicesFrom,
  isWithin,
  type NonEmpty,
  nextEdgeAfter,
  type TimeWindow,
} from './cycle.domain.ts';

/** State of an open Fluxion window. */
export const FLUXION_WINDOW_STATES = namedValues('FluxionWindowState', 'State of an open window of the merchant.', ['voting', 'selling']);
export type FluxionWindowState = (typeof FLUXION_WINDOW_STATES)[number];

/** State of the merchant: that of the open window, or `away` between windows. */
export const FLUXION_STATES = namedValues('FluxionState', 'State of the merchant.', [...FLUXION_WINDOW_STATES, 'away']);
export type FluxionState = (typeof FLUXION_STATES)[number];

export type MerchantRules = { cycle: Cycle; scheduleItems: number };
/** Window `k` has entry `k` of `states`, which repeats. */
export type FluxionRules = MerchantRules & { states: NonEmpty<FluxionWindowState> };

/**
 * Visits of a merchant. The times are those of the open window, otherwise of the next one, which is also the first of `schedule`
 * (ascending). `secondsRemaining`: until departure while active, otherwise until arrival; never 0.
 */
export type MerchantTimer<Visit extends TimeWindow = TimeWindow> = TimeWindow & {
  active: boolean;
  secondsRemaining: number;
  schedule: readonly Visit[];
};

export type FluxionVisit = TimeWindow & { state: FluxionWindowState };
export type FluxionTimer = MerchantTimer<FluxionVisit> & { state: FluxionState };

/** Corruxion at `now`. */
export function corruxionAt(now: UnixSeconds, rules: MerchantRules): MerchantTimer {
  const first = indexEndingAfter(now, rules.cycle);
  const schedule = indicesFrom(first, rules.scheduleItems).map((index) => cycleWindow(index, rules.cycle));
  return { ...visitTimer(now, cycleWindow(first, rules.cycle)), schedule };
}

/** Next arrival or departure of Corruxion. */
export function corruxionNextChangeAt(now: UnixSeconds, rules: MerchantRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** Fluxion at `now`. While away, the times are those of the next window, whose state is that of `schedule[0]`. */
export function fluxionAt(now: UnixSeconds, rules: FluxionRules): FluxionTimer {
  const first = indexEndingAfter(now, rules.cycle);
  const timer = visitTimer(now, cycleWindow(first, rules.cycle));
  return {
    ...timer,
    state: timer.active ? fluxionStateOfWindow(first, rules) : 'away',
    schedule: indicesFrom(first, rules.scheduleItems).map((index) => ({
      ...cycleWindow(index, rules.cycle),
      state: fluxionStateOfWindow(index, rules),
    })),
  };
}

/** State of window `index` of the Fluxion cycle. */
export function fluxionStateOfWindow(index: number, rules: Pick<FluxionRules, 'states'>): FluxionWindowState {
  return cyclicAt(rules.states, index);
}

/** Next change of the state of Fluxion. */
export function fluxionNextChangeAt(now: UnixSeconds, rules: FluxionRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

function visitTimer(now: UnixSeconds, visit: TimeWindow): Omit<MerchantTimer, 'schedule'> {
  const active = isWithin(now, visit);
  return { ...visit, active, secondsRemaining: (active ? visit.endsAt : visit.startsAt) - now };
}
