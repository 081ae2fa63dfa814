import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activityArea } from '../../../src/areas/activity/index.ts';
import { leaderboardsArea } from '../../../src/areas/leaderboards/index.ts';
import { createWalk, walkAndRebuild } from '../../support/derived-walk.ts';
import { storedKeys } from './dumps.ts';

/** What captures consist of. Everything else is derived from them. */
const SOURCES = ['board_captures', 'capture_boards', 'boards/', 'players/', 'packs/', 'raw/'];

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('data derived from captures', () => {
  it('is the same after captures in random order as after a rebuild from nothing, and is in the list', async () => {
    const { walked, rebuilt, done } = await walkAndRebuild('short', 4);
    for (const name of Object.keys(rebuilt)) expect(walked[name], `${name} after ${done.join(', ')}`).toEqual(rebuilt[name]);
    const listed = [...SOURCES, ...Object.values(createWalk().entries).flatMap(({ stored }) => stored)];
    const tables = Object.keys({ ...leaderboardsArea.tables, ...activityArea.tables });
    expect(tables.filter((table) => !listed.includes(table))).toEqual([]);
    expect((await storedKeys()).filter((key) => !listed.some((prefix) => key.startsWith(prefix)))).toEqual([]);
  });
});
