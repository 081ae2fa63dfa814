import { roundTo } from '../../../platform/kit/values/numbers.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { BoardAt, StoredBoard } from '../boards/boards.store.ts';
import type { BoardColumns } from '../captures/board-rows.domain.ts';
import { comparedName } from '../captures/board-rows.domain.ts';
import { ACTIVE_RANKS, CLUSTER_CEILINGS, STEM } from './anomalies.data.ts';
import type { HourBands } from './anomalies.store.ts';
import {
  type Cluster,
  type ClusterBoard,
  coMovementTerms,
  fuse,
  movingGroups,
  type ScheduleGroup,
  scheduleConfidence,
  scheduleGroups,
  stemFamilies,
  stemOf,
  stemTerms,
} from './clusters.domain.ts';

type BoardCluster = Cluster<StoredBoard>;

/** Data of the week since the last reset, oldest hour first. Null: nothing is stored for the hour. */
interface WeekHistory {
  activeNames: readonly (ReadonlySet<string> | null)[];
  bands: readonly (HourBands | null)[];
}

/** Clusters of a capture. Members are keys of `comparedName`; `nameOf` spells them. */
export interface AltClusters {
  clusters: BoardCluster[];
  boardsScanned: number;
  nameOf(key: string): string;
}

export const NO_CLUSTERS: AltClusters = { clusters: [], boardsScanned: 0, nameOf: (key) => key };

/** Boards that the search for clusters leaves out. */
export const parseClusterExclusions = (settings: Settings) =>
  new Set(settings.leaderboardsClusterExcludedBoards.split(',').map((uuid) => uuid.trim()));

/** Finds clusters. Reads one board at a time. `listed`: the player boards of the capture. */
export async function findClusters(
  listed: readonly BoardAt[],
  history: WeekHistory,
  settings: Settings,
  read: (at: BoardAt) => Promise<BoardColumns>,
): Promise<AltClusters> {
  const excluded = parseClusterExclusions(settings);
  const scanned = listed.filter(({ board, entries }) => entries >= STEM.minNames && !excluded.has(String(board.uuid)));
  const spelled = new Map<string, string>();
  const boardsOf = new Map<string, Set<number>>();
  const families = new Map<string, ClusterBoard<StoredBoard>[]>();
  for (const at of scanned) {
    const rows = await read(at);
    for (const name of rows.names.slice(0, ACTIVE_RANKS)) {
      const key = comparedName(name);
      boardsOf.set(key, (boardsOf.get(key) ?? new Set()).add(at.board.uuid));
      if (!spelled.has(key)) spelled.set(key, name);
    }
    for (const [stem, { rows: band, spread }] of stemFamilies(rows)) {
      const ranks = band.map(({ rank }) => rank);
      const scores = { min: band[0]?.score ?? 0, max: band.at(-1)?.score ?? 0, spread };
      for (const { name } of band) spelled.set(comparedName(name), name);
      const members = band.map(({ name }) => comparedName(name)).sort();
      const found = { ...scores, rankMin: Math.min(...ranks), rankMax: Math.max(...ranks) };
      families.set(stem, [...(families.get(stem) ?? []), { board: at.board, members, scores: found, movement: null }]);
    }
  }
  const boards = new Map(scanned.map(({ board }) => [board.uuid, board]));
  const uses = (uuid: number) => boards.get(uuid) ?? null;
  const found = [
    ...[...families].map(([stem, on]) => stemCluster(stem, on)),
    ...movingClusters(history, uses),
    ...scheduleGroups(history.activeNames).map((group) => scheduleCluster(group, boardsOf, uses)),
  ];
  const clusters = fuse(found, (member) => boardsOf.get(member) ?? new Set());
  return { clusters, boardsScanned: scanned.length, nameOf: (key) => spelled.get(key) ?? key };
}

const membersOf = (boards: readonly ClusterBoard<StoredBoard>[]) => [...new Set(boards.flatMap(({ members }) => members))].sort();

function stemCluster(stem: string, boards: ClusterBoard<StoredBoard>[]): BoardCluster {
  const members = membersOf(boards);
  const tightest = Math.min(...boards.map(({ scores }) => scores?.spread ?? 1));
  const { closeness, size, board, confidence } = stemTerms(members.length, boards.length, tightest);
  return {
    stem,
    method: 'name_stem',
    signals: ['name_stem'],
    members,
    boards,
    confidence,
    summary: `${members.length} names ${stem}* within ${roundTo(tightest * 100, 2)} % of each other on ${countOf(boards.length, 'board')}`,
    measurements: {
      member_count: members.length,
      board_count: boards.length,
      tightest_spread_pct: roundTo(tightest * 100, 4),
      score_band_pct: roundTo(STEM.band * 100, 4),
      closeness,
      size_term: size,
      board_term: board,
      ceiling: CLUSTER_CEILINGS.name_stem,
    },
  };
}

/** Groups of every board, merged when they share a member. */
function movingClusters({ bands }: WeekHistory, boardOf: (uuid: number) => StoredBoard | null): BoardCluster[] {
  const byBoard = new Map<number, HourBands[number]['bands']>();
  for (const { uuid, bands: own } of bands.flatMap((hour) => hour ?? [])) {
    const known = byBoard.get(uuid);
    if (known) known.push(...own);
    else byBoard.set(uuid, [...own]);
  }
  const groups: ClusterBoard<StoredBoard>[] = [];
  for (const [uuid, own] of byBoard) {
    const board = boardOf(uuid);
    if (!board) continue;
    for (const { members, hours, averageGain } of movingGroups(own)) {
      groups.push({ board, members, scores: null, movement: { hours, averageGain } });
    }
  }
  return mergedGroups(groups).map(movingCluster);
}

/** Groups of all boards that share a member. A board keeps the group with the most hours. */
function mergedGroups(groups: readonly ClusterBoard<StoredBoard>[]): ClusterBoard<StoredBoard>[][] {
  const merged: { members: Set<string>; boards: ClusterBoard<StoredBoard>[] }[] = [];
  for (const group of groups) {
    const touched = merged.filter(({ members }) => group.members.some((member) => members.has(member)));
    const joined = { members: new Set([...touched.flatMap(({ members }) => [...members]), ...group.members]), boards: [group] };
    for (const old of touched) {
      joined.boards.push(...old.boards);
      merged.splice(merged.indexOf(old), 1);
    }
    merged.push(joined);
  }
  return merged.map(({ boards }) =>
    [...Map.groupBy(boards, ({ board }) => board.uuid).values()].flatMap((own) => {
      const [most] = own.toSorted((one, other) => (other.movement?.hours ?? 0) - (one.movement?.hours ?? 0));
      return most ? [{ ...most, members: [...new Set(own.flatMap(({ members }) => members))].sort() }] : [];
    }),
  );
}

function movingCluster(boards: ClusterBoard<StoredBoard>[]): BoardCluster {
  const members = membersOf(boards);
  const hours = Math.max(...boards.map(({ movement }) => movement?.hours ?? 0));
  const gain = Math.max(...boards.map(({ movement }) => movement?.averageGain ?? 0));
  const stem = commonStem(members);
  const { matching, size, confidence } = coMovementTerms(hours, members.length, stem !== null);
  return {
    stem,
    members,
    boards,
    confidence,
    ...(stem === null
      ? ({ method: 'co_movement', signals: ['co_movement'] } as const)
      : ({ method: 'both', signals: ['co_movement', 'name_stem'] } as const)),
    summary: `${members.length} names with nearly equal gains in ${hours} hours`,
    measurements: {
      matching_hours: hours,
      group_size: members.length,
      board_count: boards.length,
      avg_hourly_gain: roundTo(gain, 2),
      name_corroborated: stem !== null,
      name_stem: stem,
      matching_term: matching,
      size_term: size,
      ceiling: CLUSTER_CEILINGS.co_movement,
    },
  } as BoardCluster;
}

/** The stem of at least half of the names, and of at least two. */
function commonStem(members: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const member of members) {
    const stem = stemOf(member);
    if (stem !== null) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const [most] = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  return most && most[1] >= Math.max(2, Math.floor(members.length / 2)) ? most[0] : null;
}

function scheduleCluster(
  { members, cohesion, averageHours }: ScheduleGroup,
  boardsOf: ReadonlyMap<string, ReadonlySet<number>>,
  boardOf: (uuid: number) => StoredBoard | null,
): BoardCluster {
  const uuids = [...new Set(members.flatMap((member) => [...(boardsOf.get(member) ?? [])]))];
  const boards = uuids.flatMap((uuid) => {
    const board = boardOf(uuid);
    const own = members.filter((member) => boardsOf.get(member)?.has(uuid));
    return board && own.length >= 2 ? [{ board, members: own, scores: null, movement: null }] : [];
  });
  return {
    stem: null,
    method: 'schedule',
    signals: ['schedule'],
    members,
    boards,
    confidence: scheduleConfidence(members.length, cohesion),
    summary: `${members.length} names active in the same hours, ${roundTo(averageHours, 1)} on average`,
    measurements: {
      group_size: members.length,
      schedule_cohesion: roundTo(cohesion, 3),
      avg_active_hours: roundTo(averageHours, 1),
      ceiling: CLUSTER_CEILINGS.schedule,
    },
  };
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
