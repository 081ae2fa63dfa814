import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { JOB_HEALTHS } from '../../../src/platform/durable/schedule/job-health.domain.ts';

const { isBad, jobsSentence } = await import(/* @vite-ignore */ pathToFileURL(`${process.cwd()}/src/assets/ui/admin/job-texts.js`).href);

it('says that no job fails only when the table has no red badge', () => {
  const combinations = JOB_HEALTHS.flatMap((one) => JOB_HEALTHS.map((other) => [{ health: one }, { health: other }]));
  for (const jobs of combinations) expect(jobsSentence(jobs) === 'No failing jobs.').toBe(!jobs.some(isBad));
});

it('counts failing and late jobs', () => {
  const jobs = (['failing', 'ok', 'late', 'failing', 'off'] as const).map((health) => ({ health }));
  expect(jobsSentence(jobs)).toBe('2 of 5 jobs failed in their last run, 1 late.');
});
