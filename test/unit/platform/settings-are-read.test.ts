import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { SETTINGS } from '../../support/declarations.ts';

/** Settings whose description says that they have no effect. */
const WITHOUT_EFFECT = ['leaderboardsHotRetentionDays'];

const sources = readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/settings\.data\.ts$/.test(path))
  .map((path) => readFileSync(inRoot(`src/${path}`), 'utf8'))
  // A rate limit is read by the name that its two settings begin with.
  .map((text) => text.replaceAll(/\brateLimitOf\('(\w+)'\)/g, '$1Max $1WindowSeconds'))
  // A declaration is not a use: `name: integer({`.
  .map((text) => text.replaceAll(/^ {2}\w+: \w+\(\{?/gm, ''))
  .join('\n');

describe('declared settings', () => {
  it('are read by the service, except those documented to have no effect', () => {
    const unread = Object.keys(SETTINGS.all).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
    expect(unread).toEqual(WITHOUT_EFFECT);
  });
});
