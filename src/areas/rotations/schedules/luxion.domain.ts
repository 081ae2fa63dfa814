import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type Cycle, cycleWindow, indexStartingAfter, indicesFrom, isWithin, type TimeWindow } from './cycle.domain.ts';

/** A run of the merchant as reported. A run begins with its first sighting. */
export interface LuxionRun {
  /** Start of the game day of the first sighting; identifies the run. */
  startedAt: UnixSeconds;
  firstSeenAt: UnixSeconds;
  lastSeenAt: UnixSeconds;
  /** Reported end; null until a report says that the merchant is gone. */
  endedAt: UnixSeconds | null;
}

/** Windows of all runs, windows per run, and how long a sighting proves presence after it, in seconds. */
export interface LuxionRules {
  cycle: Cycle;
  windows: number;
  holdSeconds: number;
}

/** Windows of three hours every 27 hours from Friday 2025-10-10 11:00 UTC; a run has seven. */
export const luxionRules: LuxionRules = {
  cycle: {
    anchorAt: 1_760_094_000,
    periodSeconds: 27 * SECONDS_PER_HOUR,
    offsetSeconds: 0,
    durationSeconds: 3 * SECONDS_PER_HOUR,
  },
  windows: 7,
  holdSeconds: 4 * SECONDS_PER_HOUR,
};

/** `position`: 1 to 7, number of the window in its run. */
export type LuxionWindow = TimeWindow & { position: number };

/** Luxion at a time. All fields of the run are null before the first report. */
export interface Luxion {
  active: boolean;
  run: (LuxionRun & TimeWindow) | null;
  /** Until the merchant closes or opens next, otherwise until the end of the run; 0 after it. */
  secondsRemaining: number;
  currentWindow: LuxionWindow | null;
  nextWindow: LuxionWindow | null;
  schedule: readonly LuxionWindow[];
}

const firstWindowIndex = ({ firstSeenAt }: LuxionRun, { cycle }: LuxionRules) => indexStartingAfter(firstSeenAt - 1, cycle);

/** End of a run: the reported one, otherwise the close of its last window, later if the merchant was seen shortly before that. */
export function luxionEndsAt(run: LuxionRun, rules: LuxionRules): UnixSeconds {
  if (run.endedAt !== null) return run.endedAt;
  const { ends_at: endsAt } = cycleWindow(firstWindowIndex(run, rules) + rules.windows - 1, rules.cycle);
  return Math.max(endsAt, run.lastSeenAt + rules.holdSeconds);
}

/** Windows that open before the end of the run. */
export function luxionSchedule(run: LuxionRun, rules: LuxionRules): LuxionWindow[] {
  const endsAt = luxionEndsAt(run, rules);
  return indicesFrom(firstWindowIndex(run, rules), rules.windows)
    .map((index, position) => ({ ...cycleWindow(index, rules.cycle), position: position + 1 }))
    .filter((window) => window.starts_at < endsAt);
}

/** Whether the run has begun and not ended. */
export function isLuxionActive(now: UnixSeconds, run: LuxionRun, rules: LuxionRules): boolean {
  return run.firstSeenAt <= now && now < luxionEndsAt(run, rules);
}

/** Luxion at `now`, from its newest run. */
export function luxionAt(now: UnixSeconds, run: LuxionRun | null, rules: LuxionRules): Luxion {
  if (!run) return { active: false, run, secondsRemaining: 0, currentWindow: null, nextWindow: null, schedule: [] };
  const endsAt = luxionEndsAt(run, rules);
  const schedule = luxionSchedule(run, rules);
  // Independent of `active`: a window that is open when the run ends stays until it closes.
  const currentWindow = schedule.find((window) => isWithin(now, window)) ?? null;
  const nextWindow = schedule.find((window) => window.starts_at > now) ?? null;
  return {
    active: isLuxionActive(now, run, rules),
    run: { ...run, starts_at: run.firstSeenAt, ends_at: endsAt },
    secondsRemaining: Math.max(0, (currentWindow?.ends_at ?? nextWindow?.starts_at ?? endsAt) - now),
    currentWindow,
    nextWindow,
    schedule,
  };
}
