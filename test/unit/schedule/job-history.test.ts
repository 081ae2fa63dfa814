import { expect, it } from 'vitest';
import { healthOf, type JudgedJob } from '../../../src/platform/durable/schedule/job-health.domain.ts';
import { addRun, type JobEpisode, MAX_EPISODES } from '../../../src/platform/durable/schedule/job-history.domain.ts';

const idle: JudgedJob = {
  state: 'idle',
  failures: 0,
  lastError: null,
  lastRunAt: 1000,
  isConditional: false,
  everySeconds: 60,
  timeoutSeconds: 20,
};

it.each([
  ['a job whose last run succeeded', idle, 'ok'],
  ['a job whose last run failed', { ...idle, failures: 2, lastError: 'no upstream' }, 'failing'],
  ['a running job whose last run failed', { ...idle, state: 'running', failures: 1, lastError: 'no upstream' }, 'failing'],
  ['a job whose last run crashed', { ...idle, lastError: 'the run did not end' }, 'failing'],
  ['a job that is overdue', { ...idle, lastRunAt: 859 }, 'late'],
  ['an overdue job with a condition', { ...idle, lastRunAt: 1, isConditional: true }, 'ok'],
  ['a job that has not run', { ...idle, lastRunAt: null }, 'waiting'],
  ['a disabled job whose last run failed', { ...idle, state: 'disabled', failures: 3, lastError: 'old' }, 'off'],
] as const)('judges %s', (_, job, health) => {
  expect(healthOf(job, 1000)).toBe(health);
});

it('merges consecutive runs with the same result into one episode', () => {
  let history: JobEpisode[] = [];
  const run = (startedAt: number, error: string | null, durationMs: number | null) => {
    history = addRun(history, { startedAt, error, durationMs });
  };
  run(60, null, 5);
  run(120, null, 9);
  run(180, null, 7);
  run(240, 'timed out', 20_000);
  run(300, 'timed out', null);
  run(360, 'x'.repeat(1000), 1);
  run(420, null, 4);
  expect(history).toEqual([
    { from: 420, to: 420, runs: 1, error: null, maxMs: 4 },
    { from: 360, to: 360, runs: 1, error: 'x'.repeat(200), maxMs: 1 },
    { from: 240, to: 300, runs: 2, error: 'timed out', maxMs: 20_000 },
    { from: 60, to: 180, runs: 3, error: null, maxMs: 9 },
  ]);
});

it('keeps the newest episodes of a job that alternates', () => {
  let history: JobEpisode[] = [];
  for (let at = 0; at < 100; at += 1) history = addRun(history, { startedAt: at, error: at % 2 ? 'odd' : null, durationMs: 1 });
  expect(history).toHaveLength(MAX_EPISODES);
  expect(history[0]?.to).toBe(99);
});
