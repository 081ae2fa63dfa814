import { CLASS_ORDER } from '../../../game/class-order.data.ts';
import { classByTechName } from '../../../game/classes.domain.ts';
import { geodeLevel, masteryLevel } from '../boards/boards.domain.ts';
import { EFFORT_BOARDS, GEODE_MASTERY_BOARD, MASTERY_BOARD, PARAGON_BOARDS, POWER_RANK_BOARDS } from '../leaderboards.data.ts';
import type { BoardTotal } from './totals.domain.ts';

/** What the sigil of a player shows. */
export interface PlayerSigil {
  /** The highest Power Rank of a class, its board and the name of the class. */
  powerRank: number;
  powerRankBoard: number;
  powerRankClass: string;
  /** Levels. `mastery` is their sum, with Geode Mastery at most at its cap. */
  mainMastery: number;
  geodeMastery: number;
  mastery: number;
}

/** A class of a player: the boards that list the player, otherwise null. */
export interface PlayerClass {
  classIndex: number;
  name: string;
  powerRankBoard: number | null;
  effortBoard: number | null;
  paragonBoard: number | null;
}

type Boards = ReadonlyMap<number, Pick<BoardTotal, 'latestScore'>>;

const classNameOf = (classIndex: number): string => {
  const techName = CLASS_ORDER[classIndex] ?? '';
  return classByTechName(techName)?.name ?? techName;
};

/** The sigil by the latest scores of a player; null unless Power Rank and both masteries are known. */
export function sigilOf(boards: Boards): PlayerSigil | null {
  const [best] = CLASS_ORDER.flatMap((_, classIndex) => {
    const score = boards.get(POWER_RANK_BOARDS.first + classIndex)?.latestScore;
    return score === undefined ? [] : [{ classIndex, score }];
  }).toSorted((one, other) => other.score - one.score);
  const [main, geode] = [boards.get(MASTERY_BOARD), boards.get(GEODE_MASTERY_BOARD)];
  if (!best || !main || !geode) return null;
  const mainMastery = masteryLevel(main.latestScore).level;
  const { level, uncappedLevel } = geodeLevel(geode.latestScore);
  return {
    powerRank: Math.round(best.score),
    powerRankBoard: POWER_RANK_BOARDS.first + best.classIndex,
    powerRankClass: classNameOf(best.classIndex),
    mainMastery,
    geodeMastery: uncappedLevel,
    mastery: mainMastery + level,
  };
}

/** The classes whose boards list a player, by Power Rank descending; those without one last. */
export function classesOf(boards: Boards): PlayerClass[] {
  const powerRankOf = ({ classIndex }: PlayerClass) =>
    boards.get(POWER_RANK_BOARDS.first + classIndex)?.latestScore ?? Number.NEGATIVE_INFINITY;
  const listed = (uuid: number) => (boards.has(uuid) ? uuid : null);
  return CLASS_ORDER.map((_, classIndex) => ({
    classIndex,
    name: classNameOf(classIndex),
    powerRankBoard: listed(POWER_RANK_BOARDS.first + classIndex),
    effortBoard: listed(EFFORT_BOARDS + classIndex),
    paragonBoard: listed(PARAGON_BOARDS + classIndex),
  }))
    .filter(({ powerRankBoard, effortBoard, paragonBoard }) => powerRankBoard !== null || effortBoard !== null || paragonBoard !== null)
    .toSorted((one, other) => (powerRankOf(one) === powerRankOf(other) ? 0 : powerRankOf(other) - powerRankOf(one)));
}
