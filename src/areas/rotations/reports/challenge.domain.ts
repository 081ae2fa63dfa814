import { floorDiv, gameWeekdayIndex, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { isWithin, type TimeWindow } from '../computed/cycle.domain.ts';

export const CHALLENGE_TYPES = namedValues('ChallengeType', 'Kind of challenge.', ['collection', 'rampage', 'racing', 'target', 'dungeon']);
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];

/** Windows start at multiples of the step. The steps divide an hour, so no window crosses an edge of the Friday window. */
export type ChallengeRules = {
  durationSeconds: number;
  stepSeconds: number;
  fridayStepSeconds: number;
  typesByName: ReadonlyMap<string, ChallengeType>;
};

type ChallengeWindow = TimeWindow & { isFridayWindow: boolean };

/** A reported name of the window that starts at `windowAnchorAt`. */
export type ChallengeCapture = { windowAnchorAt: UnixSeconds; name: string; capturedAt: UnixSeconds };

/** `secondsRemaining`: until the end of the window; 0 in the gap after it. */
export type Challenge = ChallengeWindow & {
  active: boolean;
  secondsRemaining: number;
  name: string | null;
  type: ChallengeType | null;
  capturedAt: UnixSeconds | null;
};

const FRIDAY_INDEX = 4;

/** Whether there are two windows per hour: from Friday 11:00 to Saturday 11:00 UTC (the game day Friday). */
export function isFridayWindowAt(now: UnixSeconds): boolean {
  return gameWeekdayIndex(now) === FRIDAY_INDEX;
}

/** The open window, or in a gap the last one. A report at `now` belongs to this window. */
export function challengeWindowAt(now: UnixSeconds, rules: ChallengeRules): ChallengeWindow {
  const step = stepAt(now, rules);
  const startsAt = floorDiv(now, step) * step;
  return { startsAt, endsAt: challengeEndsAt(startsAt, rules), isFridayWindow: isFridayWindowAt(now) };
}

/** End of the window that starts at `windowAnchorAt`. */
export function challengeEndsAt(windowAnchorAt: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  return windowAnchorAt + rules.durationSeconds;
}

/** Start of the first window strictly after `now`. */
export function nextChallengeStartAt(now: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  return challengeWindowAt(now, rules).startsAt + stepAt(now, rules);
}

/** Type of a challenge by exact, case-sensitive name; other names are dungeons. */
export function challengeTypeOf(name: string, rules: Pick<ChallengeRules, 'typesByName'>): ChallengeType {
  return rules.typesByName.get(name.trim()) ?? 'dungeon';
}

/** Challenge at `now`. Ignores a capture of another window. In a gap the name of the last window is still shown. */
export function challengeAt(now: UnixSeconds, capture: ChallengeCapture | null, rules: ChallengeRules): Challenge {
  const window = challengeWindowAt(now, rules);
  const current = capture !== null && capture.windowAnchorAt === window.startsAt ? capture : null;
  return {
    ...window,
    active: isWithin(now, window),
    secondsRemaining: Math.max(0, window.endsAt - now),
    name: current?.name ?? null,
    type: current === null ? null : challengeTypeOf(current.name, rules),
    capturedAt: current?.capturedAt ?? null,
  };
}

/** End of the window, or in a gap the start of the next one. A report may change the body earlier. */
export function challengeNextChangeAt(now: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  const window = challengeWindowAt(now, rules);
  return isWithin(now, window) ? window.endsAt : nextChallengeStartAt(now, rules);
}

function stepAt(now: UnixSeconds, rules: ChallengeRules): number {
  return isFridayWindowAt(now) ? rules.fridayStepSeconds : rules.stepSeconds;
}
