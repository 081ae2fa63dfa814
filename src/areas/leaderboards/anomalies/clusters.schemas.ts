import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { ContestType, integer, number, string } from '../boards/boards.schemas.ts';
import type { StoredBoard } from '../boards/boards.store.ts';
import { CLUSTER_METHODS, CLUSTER_SIGNALS, MAX_MEMBERS } from './clusters.data.ts';
import type { Cluster, ClusterBoard } from './clusters.domain.ts';

const orNullNumber = (description: string, example: number | null) => z.number().nullable().openapi({ description, example });

const AltClusterBoardBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Category of the board.', 'META'),
    contest_type: ContestType.nullable().openapi({ description: 'Contest of the board.', example: null }),
    members: integer('Number of members on the board.', 4),
    member_names: z
      .array(z.string())
      .openapi({ description: `Members on the board, at most ${MAX_MEMBERS}.`, example: ['Ember1', 'Ember2'] }),
    score_min: orNullNumber('Lowest score of the members; null unless found by name.', 1000),
    score_max: orNullNumber('Highest score of the members; null unless found by name.', 1009),
    spread: orNullNumber('Difference of these scores as a share of the larger one; null unless found by name.', 0.00892),
    rank_min: orNullNumber('Best rank of the members; null unless found by name.', 12),
    rank_max: orNullNumber('Worst rank of the members; null unless found by name.', 15),
    matching_hours: orNullNumber('Hours with nearly equal gains; null unless found by gains.', null),
    avg_hourly_gain: orNullNumber('Mean over the members of the sum of these gains; null unless found by gains.', null),
  })
  .openapi('AltClusterBoard', { description: 'Members of a cluster on one board.' });

export const AltClusterBody = z
  .object({
    stem: z.string().openapi({ description: 'Common part of the names; empty without one.', example: 'ember' }),
    label: string('Short label: the stem, or the first name and the number of the others.', 'ember*'),
    method: enumOf(CLUSTER_METHODS).openapi({
      description: 'How the cluster was found: similar names, equal gains, equal hours, or names and one of the others.',
      example: 'name_stem',
    }),
    corroborated_by: z.array(enumOf(CLUSTER_SIGNALS)).openapi({ description: 'All signals of the cluster.', example: ['name_stem'] }),
    member_count: integer('Number of members.', 4),
    members: z
      .array(z.string())
      .openapi({ description: `Members A to Z, at most ${MAX_MEMBERS}.`, example: ['Ember1', 'Ember2', 'Ember3', 'Ember4'] }),
    members_truncated: integer('Number of members that are missing in the list.', 0),
    board_count: integer('Number of boards.', 1),
    boards: z.array(AltClusterBoardBody).openapi({ description: 'Boards by category and name.' }),
    confidence: number('Confidence, 0 to 1.', 0.721),
    summary: string('Summary in one phrase.', '4 names ember* within 0.89 % of each other on 1 board'),
    measurements: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string(), z.null()]))
      .openapi({ description: 'Measurements, depending on the method.', example: { member_count: 4, board_count: 1, closeness: 0.554 } }),
  })
  .openapi('AltCluster', {
    description: 'Names that may belong to one person. This has other possible causes, such as a guild that plays together.',
  });

export function toAltClusterBody(cluster: Cluster<StoredBoard>, nameOf: (key: string) => string): z.infer<typeof AltClusterBody> {
  const { stem, method, signals, members, confidence, summary, measurements } = cluster;
  const names = members.slice(0, MAX_MEMBERS).map(nameOf);
  const isNamed = stem !== null && (method === 'name_stem' || method === 'both');
  return {
    stem: stem ?? '',
    label: isNamed ? `${stem}*` : `${names[0] ?? ''} +${members.length - 1}`,
    method,
    corroborated_by: [...signals],
    member_count: members.length,
    members: names,
    members_truncated: Math.max(0, members.length - MAX_MEMBERS),
    board_count: cluster.boards.length,
    boards: cluster.boards.toSorted(byCategory).map((board) => toBoardBody(board, nameOf)),
    confidence,
    summary,
    measurements,
  };
}

function toBoardBody({ board, members, scores, movement }: ClusterBoard<StoredBoard>, nameOf: (key: string) => string) {
  return {
    uuid: board.uuid,
    name: board.name,
    category: board.category,
    contest_type: board.contestType,
    members: members.length,
    member_names: members.slice(0, MAX_MEMBERS).map(nameOf),
    score_min: scores?.min ?? null,
    score_max: scores?.max ?? null,
    spread: scores && roundTo(scores.spread, 6),
    rank_min: scores?.rankMin ?? null,
    rank_max: scores?.rankMax ?? null,
    matching_hours: movement?.hours ?? null,
    avg_hourly_gain: movement && roundTo(movement.averageGain, 2),
  };
}

function byCategory({ board: one }: { board: StoredBoard }, { board: other }: { board: StoredBoard }): number {
  const keyOf = ({ category, name, uuid }: StoredBoard) => [category.toLowerCase(), name.toLowerCase(), uuid] as const;
  const [left, right] = [keyOf(one), keyOf(other)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1;
}
