import { z } from '@hono/zod-openapi';
import { masterAccess, masterReadAccess } from '../../../platform/access/policy/policy.ts';
import { integer, integerOrNull, number, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint, type PartSwitch } from '../../../platform/http/pipeline/define-route.ts';
import { booleanWithDefault, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { leaderboardsMaster, leaderboardsRead, NAMES_MAX_AGE_SECONDS } from '../boards/boards.routes.ts';
import { flag, instant } from '../boards/boards.schemas.ts';
import { type BackfillStatus, isRunning, newProgress, type StoredBackfill } from '../captures/backfill.store.ts';
import { currentName, METHOD_VERSION } from './renames.domain.ts';
import type { RenamesTask } from './renames.service.ts';
import type { RenamesStore, StoredRename } from './renames.store.ts';

const RenamesQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: 200,
    default: 50,
    description: 'Maximum number of renames on the page, 1 to 200.',
    example: 50,
  }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of renames to skip.', example: 0 }),
});

const RenamedPath = z.object({
  name: z.string().min(1).max(200).openapi({ description: 'Former or later name; case-insensitive, trimmed.', example: 'Cumulus' }),
});

export const BackfillQuery = z.object({
  clear_first: booleanWithDefault({ default: false, description: 'Whether all stored results are deleted first.', example: false }),
});

const EvidenceBody = z
  .object({
    gap_seconds: integer('Time between the captures, in seconds.', 3600),
    boards: z
      .array(
        z
          .object({
            uuid: integer('Number of the board.', 1),
            name: string('Name of the board.', 'TROVE MASTERY POINTS'),
            score_from: number('Last score of the former name.', 5000),
            score_to: number('First score of the later name.', 5000),
            drift_pct: number('Rise of the score in percent.', 0),
          })
          .openapi('RenamedBoard', { description: 'A board with both names.' }),
      )
      .openapi({ description: 'Boards with nearly the same scores, by number.' }),
    terms: z
      .object({
        matched_boards: integer('Number of these boards.', 3),
        runnerup_overlap: integer('Boards of the next best other candidate.', 0),
        board_term: number('Term of the number of boards.', 0.875),
        tightness: number('Term of the scores: 1 for equal ones.', 1),
        exclusivity: number('Term of the next best candidate: 1 without one.', 1),
        rarity: number('Share of boards where no other new name has such a score.', 1),
        mean_drift_pct: number('Mean rise of the scores in percent.', 0),
        confidence: number('Confidence.', 0.875),
      })
      .openapi('RenameTerms', { description: 'Terms of the confidence.' }),
    summary: string('Summary in one phrase.', 'Nimbus left 3 boards and Cumulus appeared with nearly the same scores'),
  })
  .openapi('RenameEvidence', { description: 'Evidence of a rename.' });

const RenameBody = z
  .object({
    id: integer('Number of the rename.', 1),
    from_name: string('Former name.', 'Nimbus'),
    to_name: string('Later name.', 'Cumulus'),
    from_anchor: instant('Last capture with the former name'),
    to_anchor: instant('First capture with the later name'),
    confidence: number('Confidence, 0 to 0.97, to four decimals.', 0.875),
    matched_boards: integer('Boards with nearly the same scores.', 3),
    evidence: EvidenceBody,
    method_version: integer('Version of the rules.', METHOD_VERSION),
    created_at: instant('Time when the rename was detected'),
  })
  .openapi('PlayerRename', { description: 'A name that probably replaced another.' });

const RenamesBody = z
  .object({
    renames: z.array(RenameBody).openapi({ description: 'Newest first.' }),
    total: integer('Total number of renames.', 1),
    limit: integer('Requested page size.', 50),
    offset: integer('Number of skipped renames.', 0),
    enabled: flag('Whether renames are detected.', true),
    method_version: integer('Version of the rules.', METHOD_VERSION),
  })
  .openapi('PlayerRenames', { description: 'A page of renames.' });

const RenameChainBody = z
  .object({
    query: string('Requested name.', 'Nimbus'),
    current_name: string('Name at the end of the chain; the requested one without a rename.', 'Cumulus'),
    aliases: z.array(z.string()).openapi({ description: 'All names of the chain, A to Z.', example: ['Cumulus', 'Nimbus'] }),
    edges: z.array(RenameBody).openapi({ description: 'Renames of the chain, oldest first.' }),
    rename_count: integer('Number of renames.', 1),
  })
  .openapi('RenameChain', { description: 'Renames before and after a name.' });

export const BackfillBody = z
  .object({
    started: z.literal(true).openapi({ description: 'Always true.', example: true }),
    clear_first: flag('Whether stored results are deleted first.', false),
  })
  .openapi('RenamesBackfill', { description: 'A started backfill.' });

export const instantOrNull = (description: string) => z.number().int().nullable().openapi({ description, example: 1_773_140_400 });

const RenamesStatusBody = z
  .object({
    running: flag('Whether a backfill is running.', false),
    total: integer('Number of pairs of captures.', 167),
    done: integer('Number of finished pairs.', 167),
    detected: integer('Number of detected renames.', 3),
    skipped_gap: integer('Number of pairs that are too far apart.', 1),
    started_at: instantOrNull('Start of the backfill (unix seconds); null if there was none within the last day.'),
    finished_at: instantOrNull('End of the backfill (unix seconds); null while it runs.'),
    last_anchor: instantOrNull('Last compared capture (unix seconds).'),
    clear_first: flag('Whether stored renames were deleted first.', false),
    lifetime_boards: integer('Number of boards of the newest capture that never reset.', 60),
    cleared: integerOrNull('Number of deleted renames; null without `clear_first`.', null),
    recorded_renames: integer('Number of stored renames.', 3),
  })
  .openapi('RenamesBackfillStatus', { description: 'Progress of the backfill of renames.' });

function toRenameBody(rename: StoredRename): z.infer<typeof RenameBody> {
  return {
    id: rename.id,
    from_name: rename.fromName,
    to_name: rename.toName,
    from_anchor: rename.fromAnchor,
    to_anchor: rename.toAnchor,
    confidence: rename.confidence,
    matched_boards: rename.matchedBoards,
    evidence: rename.evidence,
    method_version: rename.methodVersion,
    created_at: rename.createdAt,
  };
}

function toRenamesBody(
  { rows, total }: { rows: readonly StoredRename[]; total: number },
  { limit, offset }: { limit: number; offset: number },
): z.infer<typeof RenamesBody> {
  return { renames: rows.map(toRenameBody), total, limit, offset, enabled: true, method_version: METHOD_VERSION };
}

function toRenameChainBody(query: string, edges: readonly StoredRename[]): z.infer<typeof RenameChainBody> {
  const spelled = new Map(edges.flatMap((edge) => [[edge.fromKey, edge.fromName] as const, [edge.toKey, edge.toName] as const]));
  return {
    query,
    current_name: currentName(query, edges),
    aliases: [...spelled].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name),
    edges: edges.map(toRenameBody),
    rename_count: edges.length,
  };
}

function toRenamesStatusBody(
  stored: StoredBackfill<RenamesTask> | null,
  recorded: number,
  now: UnixSeconds,
): z.infer<typeof RenamesStatusBody> {
  const task = stored?.task;
  return {
    running: isRunning(stored, now),
    total: task?.total ?? 0,
    done: task?.done ?? 0,
    detected: task?.detected ?? 0,
    skipped_gap: task?.skippedGap ?? 0,
    started_at: task?.startedAt ?? null,
    finished_at: stored?.finishedAt ?? null,
    last_anchor: task?.after || null,
    clear_first: task?.clearFirst ?? false,
    lifetime_boards: task?.lifetimeBoards ?? 0,
    cleared: task?.cleared ?? null,
    recorded_renames: recorded,
  };
}

interface RenameRoutesDeps {
  renames: Pick<RenamesStore, 'list' | 'chainOf'>;
  status: BackfillStatus<RenamesTask>;
  ingest: { enqueue(jobs: readonly { kind: 'renames'; task: RenamesTask }[]): Promise<void> };
  /** Number of stored renames. */
  count(): Promise<number>;
}

const part: PartSwitch = { name: 'renames', isOn: ({ leaderboardRenamesEnabled }) => leaderboardRenamesEnabled };

/** Endpoints of renames: list, chain of a name, backfill. */
export function createRenameEndpoints({ renames, status, ingest, count }: RenameRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/renames',
      operationId: 'listPlayerRenames',
      summary: 'List renames',
      description:
        'Lists names that probably replaced another, newest first: between two captures a name left every board, and a new one appeared with nearly the same scores on boards that never reset. A rename has other possible causes.',
      query: RenamesQuery,
      ok: { description: 'A page of renames.', schema: RenamesBody },
      table: listTable(RenamesBody, 'renames'),
    }).handle(async ({ query }) => {
      return json(toRenamesBody(await renames.list(query.limit, query.offset), query), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/renames/{name}',
      operationId: 'getPlayerRenames',
      summary: 'Get the renames of a player',
      description: 'Returns the renames before and after a name, at most 40 names. Empty for a name without renames.',
      params: RenamedPath,
      ok: { description: 'The renames.', schema: RenameChainBody },
    }).handle(async ({ params }) => {
      const name = params.name.trim();
      return json(toRenameChainBody(name, await renames.chainOf(name)), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'post',
      path: '/v1/leaderboards/renames-backfill',
      operationId: 'backfillPlayerRenames',
      summary: 'Backfill renames',
      description: 'Compares all neighbouring captures in the background, oldest first. Returns 409 while a backfill is running.',
      access: masterAccess('leaderboards-renames-backfill'),
      query: BackfillQuery,
      errors: ['conflict'],
      ok: { status: 202, description: 'The backfill was queued.', schema: BackfillBody },
    }).handle(async ({ query: { clear_first: clearFirst }, now }) => {
      const task: RenamesTask = { ...newProgress(now, clearFirst), after: 0, skippedGap: 0, lifetimeBoards: 0 };
      await status.begin(task, now);
      await ingest.enqueue([{ kind: 'renames', task }]);
      return json({ started: true, clear_first: clearFirst } as const);
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'get',
      path: '/v1/leaderboards/renames-backfill-status',
      operationId: 'getRenamesBackfill',
      summary: 'Get the backfill of renames',
      description: 'Returns the progress of the running or last backfill; a finished one is reported for a day.',
      access: masterReadAccess,
      ok: { description: 'The progress.', schema: RenamesStatusBody },
    }).handle(async ({ now }) => {
      const [stored, recorded] = await Promise.all([status.get(now), count()]);
      return json(toRenamesStatusBody(stored, recorded, now));
    }),
  ];
}
