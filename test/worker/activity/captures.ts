import { env } from 'cloudflare:workers';
import { createActivityService } from '../../../src/areas/activity/activity.service.ts';
import { createActivityStore } from '../../../src/areas/activity/activity.store.ts';
import {
  activityCaptures,
  activityRevisions,
  activitySets,
  classActivityCaptures,
  classActivityDays,
  classActivitySets,
} from '../../../src/areas/activity/activity.tables.ts';
import type { BoardPair, CaptureBoards } from '../../../src/game/board-captures.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { withJson } from '../../support/calculators.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

export const NOW = 1_773_156_630;
export const db = createDatabase(env.DB);

/** A new application without cached state, with rate limits high enough for all requests of a test file. */
export const appWithHighLimits = () => testApp({ settings: { publicAnonRateLimitMax: 10_000 } });

/** Scores of players on boards at a capture: `{1: {Nimbus: 10}}`. */
export type Boards = Record<number, Record<string, number>>;

export interface BoardsAt {
  anchor: number;
  boards: Boards;
}

const CLUB_BOARD = 1100;

const rowsOf = (scores: Record<string, number> | undefined) =>
  scores ? { names: Object.keys(scores), scores: Object.values(scores) } : null;

/** A capture as passed to listeners by the ingest of leaderboards; `all`: all captures. */
export function captureOf(later: BoardsAt, earlier: BoardsAt | null, all: readonly BoardsAt[] = [later]): CaptureBoards {
  const uuids = [...new Set([...Object.keys(later.boards), ...Object.keys(earlier?.boards ?? {})])].map(Number);
  return {
    anchor: later.anchor,
    previousAnchor: earlier?.anchor ?? null,
    newestAtOrBefore: async (instant) => all.findLast(({ anchor }) => anchor <= instant)?.anchor ?? null,
    rows: async (uuid, at) => rowsOf(all.find(({ anchor }) => anchor === at)?.boards[uuid]),
    async *boards() {
      for (const uuid of uuids) {
        const pair: BoardPair = {
          uuid,
          name: `Board ${uuid}`,
          category: 'STATS',
          isPlayerBoard: uuid !== CLUB_BOARD,
          earlier: rowsOf(earlier?.boards[uuid]),
          later: rowsOf(later.boards[uuid]),
        };
        yield pair;
      }
    },
  };
}

/** Processes captures of a test, and reads activity with a new application each time. */
export function openActivity() {
  const store = createActivityStore(db);
  const changes: number[] = [];
  let faults = 0;
  const service = createActivityService({
    store: {
      ...store,
      async saveUnions(...figures) {
        if (faults-- > 0) throw new Error('a crash between two steps');
        await store.saveUnions(...figures);
      },
    },
    clock: () => NOW,
    onFigures: async (now) => {
      changes.push(now);
    },
  });
  return {
    service,
    store,
    changes,
    crash: (times: number) => {
      faults = times;
    },
    /** Processes captures, oldest first. */
    async processCaptures(captures: readonly BoardsAt[], before: BoardsAt | null = null) {
      let earlier = before;
      for (const later of captures) {
        await service.replace(captureOf(later, earlier));
        earlier = later;
      }
    },
    refresh: () => service.refresh(new AbortController().signal),
    get: async (path: string, now = NOW) => withJson(await call(`/v1/activity/${path}`, { now }, appWithHighLimits())),
  };
}

export async function clearActivity(): Promise<void> {
  await db.batch([
    db.delete(activityRevisions),
    db.delete(activityCaptures),
    db.delete(activitySets),
    db.delete(classActivityCaptures),
    db.delete(classActivityDays),
    db.delete(classActivitySets),
  ]);
}
