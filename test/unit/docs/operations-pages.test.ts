import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STORES } from '../../../src/areas/backup/backup.data.ts';
import { MAX_OPEN_REPORTS, REPORT_TTL_SECONDS } from '../../../src/areas/content-reports/reports.data.ts';
import { allReportsRateLimit, reportRateLimit } from '../../../src/areas/content-reports/reports.settings.ts';
import { PARTS } from '../../../src/areas/service-status/status.data.ts';
import { DEFAULT_SETTINGS, SETTINGS } from '../../support/declarations.ts';

const read = (page: string) => readFileSync(`docs/operations/${page}.md`, 'utf8');

describe('alarms.md', () => {
  const [alarms = '', jobs = ''] = read('alarms').split(/^# Jobs$/m);
  const sectionsOf = (text: string) => text.split(/^## /m).slice(1);
  const sections = [...sectionsOf(alarms), ...sectionsOf(jobs)];

  it('has a section for every part of the status, in the same order, and for the daily amount', () => {
    const titles = sectionsOf(alarms).map((section) => section.split('\n')[0]);
    expect(titles).toEqual([...Object.values(PARTS), 'Daily amount']);
  });

  it('lists three things to do for each', () => {
    expect(sections.map((section) => section.match(/^\d\. /gm))).toEqual(sections.map(() => ['1. ', '2. ', '3. ']));
  });
});

describe('moderation.md', () => {
  it('has the limits of reports', () => {
    const text = read('moderation').replaceAll('\n', ' ');
    const [mine, all] = [reportRateLimit, allReportsRateLimit].map(({ limitOf }) => limitOf(DEFAULT_SETTINGS));
    expect(text).toContain(
      `${mine?.limit} reports an hour, all visitors together ${all?.limit} a day; at most ${MAX_OPEN_REPORTS} reports`,
    );
    expect([mine?.windowSeconds, all?.windowSeconds]).toEqual([3600, 86_400]);
    expect(text).toContain(`${REPORT_TTL_SECONDS / 86_400} days`);
  });
});

describe('bill.md', () => {
  it('names a limit of the rule that is five times the rate limit of a token', () => {
    const { apiRateLimitMax, apiRateLimitWindowSeconds } = DEFAULT_SETTINGS;
    expect(read('bill')).toContain(`${5 * apiRateLimitMax} requests in ${apiRateLimitWindowSeconds / 60} minute`);
  });

  it('names a limit for ten seconds that a token cannot reach where two windows meet', () => {
    const [, limit] = /(\d+) requests in 10 seconds/.exec(read('bill')) ?? [];
    expect(Number(limit)).toBeGreaterThan(2 * DEFAULT_SETTINGS.apiRateLimitMax);
  });
});

describe('moderation.md, alarms.md and bill.md', () => {
  it('name only settings that exist', () => {
    const keys = new Set(Object.values(SETTINGS.all).map(({ key }) => key));
    for (const page of ['moderation', 'alarms', 'bill']) {
      const named = [...read(page).matchAll(/settings? `([\w.]+)`/g)].map(([, key]) => key ?? '');
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((key) => !keys.has(key))).toEqual([]);
    }
  });
});

describe('backups.md', () => {
  it('lists every store besides the database with its decision', () => {
    const rows = [...read('backups').matchAll(/^\| `([\w/-]+)` \| ([\w ]+) \| ([^|]+) \|/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(Object.entries(STORES).map(([name, { decision, reason }]) => [name, decision, reason]));
  });
});
