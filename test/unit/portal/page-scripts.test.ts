import { describe, expect, it } from 'vitest';
import { JOB_HEALTHS } from '../../../src/platform/durable/schedule/job-health.domain.ts';
import { pageScript } from '../../support/page-scripts.ts';

const scriptOf = (name: string): Promise<Record<string, (...values: unknown[]) => unknown>> => pageScript(`ui/${name}`);

describe('figures.js', () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [11, 20],
    [500, 500],
    [501, 1000],
  ])('rounds %i up to %i', async (value, round) => {
    expect((await scriptOf('figures.js')).roundUp?.(value)).toBe(round);
  });

  it('includes every day of the window, also without requests', async () => {
    const now = Date.UTC(2026, 2, 10, 12);
    const row = { date: '2026-03-09', count: 3, error_count: 1, rate_limited: 0, avg_duration_ms: 2 };
    const days = (await scriptOf('figures.js')).everyDay?.(3, [row], now) as { date: string; count: number }[];
    expect(days.map(({ date, count }) => [date, count])).toEqual([
      ['2026-03-07', 0],
      ['2026-03-08', 0],
      ['2026-03-09', 3],
      ['2026-03-10', 0],
    ]);
  });
});

describe('errorOf in addresses.js', () => {
  it.each(['198.51.100.7', '198.51.100.0/24', '0.0.0.0/0', '2001:db8::/48', '::1', '::ffff:198.51.100.7'])(
    'accepts the address or network %s',
    async (text) => {
      expect((await scriptOf('addresses.js')).errorOf?.(text)).toBeNull();
    },
  );

  it.each(['', 'example.com', '300.1.1.1', '1.2.3', '198.51.100.0/33', '198.51.100.0/', '1.2.3.4/8/8', '2001:db8::/129', '<b>'])(
    'rejects %j as an address or network',
    async (text) => {
      expect((await scriptOf('addresses.js')).errorOf?.(text)).toMatch(/address|length/);
    },
  );
});

describe('jobsSentence in admin/job-texts.js', () => {
  it('says that no job fails only when the table has no red badge', async () => {
    const { isBad, jobsSentence } = await pageScript('ui/admin/job-texts.js');
    const combinations = JOB_HEALTHS.flatMap((one) => JOB_HEALTHS.map((other) => [{ health: one }, { health: other }]));
    for (const jobs of combinations) expect(jobsSentence(jobs) === 'No failing jobs.').toBe(!jobs.some(isBad));
  });

  it('counts failing and late jobs', async () => {
    const { jobsSentence } = await pageScript('ui/admin/job-texts.js');
    const jobs = (['failing', 'ok', 'late', 'failing', 'off'] as const).map((health) => ({ health }));
    expect(jobsSentence(jobs)).toBe('2 of 5 jobs failed in their last run, 1 late.');
  });
});

describe('ApiProblem in api.js', () => {
  it('explains a 404 of a switched-off feature', async () => {
    const { ApiProblem } = await pageScript('ui/api.js');
    expect(new ApiProblem(404, { code: 'not_found', message: 'path not found' }).message).toBe('This feature is switched off.');
    expect(new ApiProblem(404, { code: 'not_found', message: 'mod not found' }).message).toBe('mod not found');
  });
});
