import type { UnixSeconds } from '../../kit/time/clock.ts';

/** Consecutive runs of a job with the same result. Stored: fields are only added. */
export interface JobEpisode {
  /** Start of the first run. */
  from: UnixSeconds;
  /** Start of the last run. */
  to: UnixSeconds;
  runs: number;
  /** Null: the runs succeeded. */
  error: string | null;
  /** Longest run in milliseconds; null when none ended. */
  maxMs: number | null;
}

export type FinishedRun = Pick<JobEpisode, 'error'> & { startedAt: UnixSeconds; durationMs: number | null };

/** Maximum number of episodes per job. A job that fails once a day keeps ten days. */
export const MAX_EPISODES = 20;
const MAX_ERROR_LENGTH = 200;

/** Adds a run to a history, newest first. A run with the result of the newest episode extends it. */
export function addRun(history: readonly JobEpisode[], { startedAt, durationMs, error: text }: FinishedRun): JobEpisode[] {
  const error = text?.slice(0, MAX_ERROR_LENGTH) ?? null;
  const [newest, ...rest] = history;
  if (newest?.error !== error)
    return [{ from: startedAt, to: startedAt, runs: 1, error, maxMs: durationMs }, ...history].slice(0, MAX_EPISODES);
  const maxMs = durationMs === null ? newest.maxMs : Math.max(durationMs, newest.maxMs ?? 0);
  return [{ ...newest, to: startedAt, runs: newest.runs + 1, maxMs }, ...rest];
}
