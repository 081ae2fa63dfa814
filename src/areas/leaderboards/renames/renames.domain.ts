import { createHash } from 'node:crypto';
import type { BoardPair, BoardRows } from '../../../game/board-captures.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { playerKey } from '../captures/board-rows.domain.ts';

/** Version of the rules, stored with each rename. */
export const METHOD_VERSION = 1;
const MAX_CONFIDENCE = 0.97;
/** Tolerance of the lower bound of a score, as a share. */
const ROUNDING = 1e-9;
/** Maximum number of compared pairs of names: more mean that a capture is incomplete. */
const MAX_PAIRS = 200_000;

/** Settings of the detection. `drift`: maximum rise of a score between the captures, as a share. */
export interface RenameRules {
  maxGapSeconds: number;
  minBoards: number;
  drift: number;
  minScore: number;
  minConfidence: number;
}

/** A name that left a board or appeared on it. */
interface Place {
  key: string;
  name: string;
  score: number;
}

/** Scores of the two names of a rename on a board. */
export interface RenamedBoard {
  uuid: number;
  name: string;
  from: number;
  to: number;
  /** Names that appeared with such a score. */
  cell: number;
}

export interface Rename {
  from: string;
  to: string;
  fromAnchor: UnixSeconds;
  toAnchor: UnixSeconds;
  boards: RenamedBoard[];
  /** Boards of the next best other candidate of either name. */
  runnerUp: number;
  confidence: number;
}

/** 48 bits of a name: the names of two captures take much less memory as numbers. */
const digestOf = (key: string) => createHash('sha1').update(key).digest().readUIntBE(0, 6);

/**
 * Collects the names of two neighbouring captures, board by board, and finds names that were replaced: one that is on no board any more, and
 * a new one with nearly the same scores.
 */
export function createRenameSearch(rules: RenameRules) {
  const before = new Set<number>();
  const after = new Set<number>();
  const boards: { uuid: number; name: string; left: Place[]; entered: Place[] }[] = [];

  function placesOf({ names, scores }: BoardRows, all: Set<number>): Map<string, Place> {
    const places = new Map<string, Place>();
    for (const [index, name] of names.entries()) {
      const score = scores[index] ?? 0;
      if (score < rules.minScore) continue;
      const key = playerKey(name);
      if (!places.has(key)) places.set(key, { key, name: name.trim(), score });
    }
    for (const key of places.keys()) all.add(digestOf(key));
    return places;
  }

  return {
    /** Adds a board of the later capture. */
    add({ uuid, name, earlier, later }: Pick<BoardPair, 'uuid' | 'name' | 'earlier' | 'later'>): void {
      if (!later) return;
      const old = placesOf(earlier ?? { names: [], scores: [] }, before);
      const fresh = placesOf(later, after);
      const left = [...old.values()].filter(({ key }) => !fresh.has(key));
      const entered = [...fresh.values()].filter(({ key }) => !old.has(key));
      if (left.length > 0 || entered.length > 0) boards.push({ uuid, name, left, entered });
    },

    /** The renames between the captures; empty if they are too far apart or too different. */
    find(fromAnchor: UnixSeconds, toAnchor: UnixSeconds): Rename[] {
      if (toAnchor <= fromAnchor || toAnchor - fromAnchor > rules.maxGapSeconds) return [];
      const vanished = namesOnEnough(
        boards.flatMap(({ left }) => left.filter(({ key }) => !after.has(digestOf(key)))),
        rules,
      );
      const appeared = namesOnEnough(
        boards.flatMap(({ entered }) => entered.filter(({ key }) => !before.has(digestOf(key)))),
        rules,
      );
      const pairs = new Map<string, { from: Place; to: Place; boards: RenamedBoard[] }>();
      let compared = 0;
      for (const { uuid, name, left, entered } of boards) {
        const fresh = entered.filter(({ key }) => appeared.has(key)).sort((one, other) => one.score - other.score);
        for (const from of left) {
          if (!vanished.has(from.key)) continue;
          const candidates = fresh.filter(({ score }) => score >= from.score * (1 - ROUNDING) && score <= from.score * (1 + rules.drift));
          compared += candidates.length;
          if (compared > MAX_PAIRS) return [];
          for (const to of candidates) {
            const key = `${from.key}\n${to.key}`;
            const pair = pairs.get(key) ?? { from, to, boards: [] };
            pairs.set(key, pair);
            pair.boards.push({ uuid, name, from: from.score, to: to.score, cell: candidates.length });
          }
        }
      }
      const matching = [...pairs.values()].filter((pair) => pair.boards.length >= rules.minBoards);
      return mutualBest(matching).flatMap(({ pair, runnerUp }) => {
        const confidence = confidenceOf(pair.boards, runnerUp, rules).confidence;
        if (confidence < rules.minConfidence) return [];
        const sorted = pair.boards.toSorted((one, other) => one.uuid - other.uuid);
        return [{ from: pair.from.name, to: pair.to.name, fromAnchor, toAnchor, boards: sorted, runnerUp, confidence }];
      });
    },
  };
}

function namesOnEnough(places: readonly Place[], { minBoards }: RenameRules): Set<string> {
  const counts = new Map<string, number>();
  for (const { key } of places) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set([...counts].flatMap(([key, count]) => (count >= minBoards ? [key] : [])));
}

type Pair = { from: Place; to: Place; boards: RenamedBoard[] };

const driftOf = ({ from, to }: RenamedBoard) => (to - from) / from;
const totalDrift = ({ boards }: Pair) => boards.reduce((sum, board) => sum + driftOf(board), 0);

/** Pairs that are the best of both names, if every other candidate of either name shares fewer boards. */
function mutualBest(pairs: readonly Pair[]): { pair: Pair; runnerUp: number }[] {
  const byRank = (one: Pair, other: Pair) => other.boards.length - one.boards.length || totalDrift(one) - totalDrift(other);
  const ranked = (side: 'from' | 'to') =>
    new Map([...Map.groupBy(pairs, (pair) => pair[side].key)].map(([key, own]) => [key, own.toSorted(byRank)]));
  const [byFrom, byTo] = [ranked('from'), ranked('to')];
  return [...byFrom.values()].flatMap(([pair, second]) => {
    if (!pair) return [];
    const [best, other] = byTo.get(pair.to.key) ?? [];
    const runnerUp = Math.max(second?.boards.length ?? 0, other?.boards.length ?? 0);
    return best === pair && runnerUp < pair.boards.length ? [{ pair, runnerUp }] : [];
  });
}

/** Terms of the confidence in a rename. */
export function confidenceOf(
  boards: readonly Pick<RenamedBoard, 'from' | 'to' | 'cell'>[],
  runnerUp: number,
  { drift }: Pick<RenameRules, 'drift'>,
) {
  const drifts = boards.map(({ from, to }) => (to - from) / from);
  const board = 1 - 0.5 ** boards.length;
  const tightness = mean(drifts.map((value) => (drift === 0 ? 1 : Math.max(0, 1 - value / drift))));
  const exclusivity = (boards.length - runnerUp) / boards.length;
  const rarity = mean(boards.map(({ cell }) => (cell === 1 ? 1 : 0)));
  const confidence = board * (0.55 + 0.45 * tightness) * (0.6 + 0.4 * exclusivity) * (0.7 + 0.3 * rarity);
  return {
    board,
    tightness,
    exclusivity,
    rarity,
    meanDrift: mean(drifts),
    confidence: roundTo(Math.min(MAX_CONFIDENCE, confidence), 4),
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Evidence as stored and sent. */
export function evidenceOf({ from, to, fromAnchor, toAnchor, boards, runnerUp }: Rename, rules: Pick<RenameRules, 'drift'>) {
  const { board, tightness, exclusivity, rarity, meanDrift, confidence } = confidenceOf(boards, runnerUp, rules);
  return {
    gap_seconds: toAnchor - fromAnchor,
    boards: boards.map(({ uuid, name, from: before, to: after }) => ({
      uuid,
      name,
      score_from: roundTo(before, 2),
      score_to: roundTo(after, 2),
      drift_pct: roundTo(((after - before) / before) * 100, 3),
    })),
    terms: {
      matched_boards: boards.length,
      runnerup_overlap: runnerUp,
      board_term: roundTo(board, 4),
      tightness: roundTo(tightness, 4),
      exclusivity: roundTo(exclusivity, 4),
      rarity: roundTo(rarity, 4),
      mean_drift_pct: roundTo(meanDrift * 100, 3),
      confidence,
    },
    summary: `${from} left ${boards.length} boards and ${to} appeared with nearly the same scores`,
  };
}

export type RenameEvidence = ReturnType<typeof evidenceOf>;

/** Maximum number of names of a chain. */
export const MAX_CHAIN = 40;

/** A stored rename. */
interface RenameEdge {
  id: number;
  fromName: string;
  toName: string;
  toAnchor: UnixSeconds;
}

/** The name at the end of the chain: the target of the newest rename from each name. */
export function currentName<Edge extends RenameEdge>(name: string, edges: readonly Edge[]): string {
  let current = name;
  let since = 0;
  for (let steps = 0; steps < MAX_CHAIN; steps += 1) {
    const key = playerKey(current);
    const next = edges
      .filter(({ fromName, toAnchor }) => playerKey(fromName) === key && toAnchor > since)
      .toSorted((one, other) => other.toAnchor - one.toAnchor || other.id - one.id)[0];
    if (!next) return current;
    current = next.toName;
    since = next.toAnchor;
  }
  return current;
}
