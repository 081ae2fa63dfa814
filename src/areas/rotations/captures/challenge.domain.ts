import { floorDiv } from '../../../platform/time/arithmetic.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { gameWeekdayIndex } from '../../../platform/time/game-calendar.ts';
import { namedValues } from '../../../platform/values/named-values.ts';
import { isWithin, type TimeWindow } from '../computed/cycle.domain.ts';

export const CHALLENGE_TYPES = namedValues('ChallengeType', 'Kind of challenge.', ['collection', 'rampage', 'racing', 'target', 'dungeon']);
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];

/** Windows start at multiples of the step; the steps divide an hour, so none straddles an edge of the Friday window. */
export type ChallengeRules = {
  durationSeconds: number;
  stepSeconds: number;
  fridayStepSeconds: number;
  typesByName: ReadonlyMap<string, ChallengeType>;
};

export type ChallengeWindow = TimeWindow & { isFridayWindow: boolean };

/** A reported name, attached to the window that starts at `windowAnchorAt`. */
export type ChallengeCapture = { windowAnchorAt: UnixSeconds; name: string; capturedAt: UnixSeconds };

/** `secondsRemaining` counts to the end of the window and stays 0 in the gap after it. */
export type Challenge = ChallengeWindow & {
  active: boolean;
  secondsRemaining: number;
  name: string | null;
  type: ChallengeType | null;
  capturedAt: UnixSeconds | null;
};

const FRIDAY_INDEX = 4;

/** Two windows an hour instead of one: during the game day Friday, real UTC Friday 11:00 to Saturday 11:00. */
export function isFridayWindowAt(now: UnixSeconds): boolean {
  return gameWeekdayIndex(now) === FRIDAY_INDEX;
}

/** The open window, or in the gap the one that ended last: what a report made at `now` belongs to. */
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

/** Type of a challenge by literal, case-sensitive match of its name; every other name is a dungeon. */
export function challengeTypeOf(name: string, rules: Pick<ChallengeRules, 'typesByName'>): ChallengeType {
  return rules.typesByName.get(name.trim()) ?? 'dungeon';
}

/** Challenge at `now`; a capture of another window is ignored, in the gap the last window's name is still shown. */
export function challengeAt(now: UnixSeconds, capture: ChallengeCapture | null, rules: ChallengeRules): Challenge {
  const window = challengeWindowAt(now, rules);
  const own = capture !== null && capture.windowAnchorAt === window.startsAt ? capture : null;
  return {
    ...window,
    active: isWithin(now, window),
    secondsRemaining: Math.max(0, window.endsAt - now),
    name: own?.name ?? null,
    type: own === null ? null : challengeTypeOf(own.name, rules),
    capturedAt: own?.capturedAt ?? null,
  };
}

/** When the window closes, or in the gap when the next one opens. A capture may change the body earlier. */
export function challengeNextChangeAt(now: UnixSeconds, rules: ChallengeRules): UnixSeconds {
  const window = challengeWindowAt(now, rules);
  return isWithin(now, window) ? window.endsAt : nextChallengeStartAt(now, rules);
}

function stepAt(now: UnixSeconds, rules: ChallengeRules): number {
  return isFridayWindowAt(now) ? rules.fridayStepSeconds : rules.stepSeconds;
}
