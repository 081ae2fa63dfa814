import { z } from '@hono/zod-openapi';
import { masterAccess, masterReadAccess } from '../../../platform/access/policy/policy.ts';
import { enumOf, integer, integerOrNull, namedEnum, number, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint, type PartSwitch } from '../../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { leaderboardsMaster, leaderboardsRead, NAMES_MAX_AGE_SECONDS } from '../boards/boards.routes.ts';
import { flag, instant, PlayerPath } from '../boards/boards.schemas.ts';
import { type BackfillStatus, isRunning, newProgress, type StoredBackfill } from '../captures/backfill.store.ts';
import { BackfillBody, BackfillQuery, instantOrNull } from '../renames/renames.routes.ts';
import { DUPLICATE_KINDS, DUPLICATE_VERDICTS, METHOD_VERSION } from './duplicates.domain.ts';
import type { DuplicatesTask } from './duplicates.service.ts';
import type { DuplicatesStore, StoredDuplicate } from './duplicates.store.ts';

const DuplicatesQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: 200,
    default: 50,
    description: 'Maximum number of names on the page, 1 to 200.',
    example: 50,
  }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of names to skip.', example: 0 }),
  kind: namedEnum('DuplicateKindFilter', 'Kind of duplicates to list.', ['same_name', 'case'])
    .optional()
    .openapi({ description: 'Only names of this kind; names of both kinds are included.', example: 'same_name' }),
});

const EvidenceBody = z
  .object({
    lookback_days: integer('Analysed days.', 7).optional(),
    boards: z
      .array(
        z
          .object({
            uuid: integer('Number of the board.', 1),
            name: string('Name of the board.', 'TROVE MASTERY POINTS'),
            occurrences: integer('Rows of the name in the newest capture with it.', 2),
            series: z
              .array(
                z
                  .object({
                    slot: integer('Number of the character on the board, from 0.', 0),
                    captures: integer('Captures with the character.', 9),
                    first_anchor: instant('First of these captures'),
                    last_anchor: instant('Last of these captures'),
                    first_score: number('First score.', 5000),
                    last_score: number('Last score.', 5200),
                    last_rank: integer('Last rank.', 3),
                    moved: flag('Whether the score changed.', true),
                    frozen: flag('Whether it did not, in at least four captures.', false),
                  })
                  .openapi('DuplicateSeries', { description: 'Rows of one character of a name on a board.' }),
              )
              .openapi({ description: 'One for each character.' }),
          })
          .openapi('DuplicateBoard', { description: 'A board with several rows of a name.' }),
      )
      .optional()
      .openapi({ description: 'Boards with several rows of the name, by number; at most 40.' }),
    summary: string('Summary in one phrase.', 'Nimbus appears several times on 2 boards; one of the characters plays').optional(),
  })
  .openapi('DuplicateEvidence', { description: 'Analysis of the last days; empty without one.' });

const duplicateFields = {
  name: string('Name, in the newest spelling.', 'Nimbus'),
  kind: enumOf(DUPLICATE_KINDS).openapi({
    description: '`same_name`: several rows on one board; `case`: spellings that differ in case; `both`.',
    example: 'same_name',
  }),
  verdict: enumOf(DUPLICATE_VERDICTS).openapi({
    description:
      '`one_live`: the score of one character changes; `multi_live`: of several; `all_idle`: of none, or there is only one; `case_only`: only spellings differ; `not_analysed`: absent from the newest capture.',
    example: 'one_live',
  }),
  boards: integer('Boards with several rows of the name; of `case`, boards with the name.', 2),
  max_occurrences: integer('The most rows on one board; of `case`, number of spellings.', 2),
  spellings: z.array(z.string()).openapi({ description: 'All spellings, A to Z.', example: ['Nimbus'] }),
  first_anchor: instant('First capture with the duplicate'),
  last_anchor: instant('Last capture with the duplicate'),
  evidence: EvidenceBody,
  method_version: integer('Version of the rules.', METHOD_VERSION),
  updated_at: instant('Time of the last detection'),
};

const DuplicateBody = z
  .object(duplicateFields)
  .openapi('PlayerDuplicate', { description: 'A name of several characters, or with several spellings.' });

const enabled = flag('Whether duplicate names are detected.', true);

const DuplicatesBody = z
  .object({
    duplicates: z.array(DuplicateBody).openapi({ description: 'Newest capture first, then most boards.' }),
    total: integer('Total number of these names.', 1),
    current: integer('Number of names on this page that are in the newest capture with duplicates.', 1),
    latest_anchor: instantOrNull('Newest capture with duplicates (unix seconds); null without one.'),
    limit: integer('Requested page size.', 50),
    offset: integer('Number of skipped names.', 0),
    enabled,
    method_version: integer('Version of the rules.', METHOD_VERSION),
  })
  .openapi('PlayerDuplicates', { description: 'A page of duplicate names.' });

const query = string('Requested name.', 'nimbus');

const DuplicateLookupBody = z
  .union([
    z
      .object({
        query,
        found: z.literal(true).openapi({ description: 'Whether the name is a duplicate.', example: true }),
        enabled,
        ...duplicateFields,
      })
      .openapi('FoundPlayerDuplicate', { description: 'A duplicate name.' }),
    z
      .object({ query, found: z.literal(false).openapi({ description: 'Whether the name is a duplicate.', example: false }), enabled })
      .openapi('NoPlayerDuplicate', { description: 'A name without duplicates.' }),
  ])
  .openapi('PlayerDuplicateLookup', { description: 'A name and its duplicates.' });

const DuplicatesStatusBody = z
  .object({
    running: flag('Whether a backfill is running.', false),
    phase: namedEnum('DuplicatesBackfillPhase', 'Phase of the backfill.', ['search', 'analysis']).optional().openapi({
      description: 'Search of the captures, then analysis of the names of the newest one; absent before the first.',
      example: 'analysis',
    }),
    total: integer('Number of captures.', 168),
    done: integer('Number of searched captures.', 168),
    detected: integer('Number of duplicate names in these captures; a name counts once for each.', 320),
    started_at: instantOrNull('Start of the backfill (unix seconds); null if there was none within the last day.'),
    finished_at: instantOrNull('End of the backfill (unix seconds); null while it runs.'),
    last_anchor: instantOrNull('Last searched capture (unix seconds).'),
    clear_first: flag('Whether stored names were deleted first.', false),
    cleared: integerOrNull('Number of deleted names; null without `clear_first`.', null),
    recorded_duplicates: integer('Number of stored names.', 16),
  })
  .openapi('DuplicatesBackfillStatus', { description: 'Progress of the backfill of duplicate names.' });

function toDuplicateBody(row: StoredDuplicate): z.infer<typeof DuplicateBody> {
  return {
    name: row.name,
    kind: row.kind,
    verdict: row.verdict,
    boards: row.boards,
    max_occurrences: row.maxOccurrences,
    spellings: row.spellings,
    first_anchor: row.firstAnchor,
    last_anchor: row.lastAnchor,
    evidence: row.evidence,
    method_version: METHOD_VERSION,
    updated_at: row.updatedAt,
  };
}

function toDuplicatesBody(
  { rows, total, latestAnchor }: { rows: readonly StoredDuplicate[]; total: number; latestAnchor: UnixSeconds | null },
  { limit, offset }: { limit: number; offset: number },
): z.infer<typeof DuplicatesBody> {
  return {
    duplicates: rows.map(toDuplicateBody),
    total,
    current: rows.filter(({ lastAnchor }) => lastAnchor === latestAnchor).length,
    latest_anchor: latestAnchor,
    limit,
    offset,
    enabled: true,
    method_version: METHOD_VERSION,
  };
}

function toDuplicatesStatusBody(
  stored: StoredBackfill<DuplicatesTask> | null,
  recorded: number,
  now: UnixSeconds,
): z.infer<typeof DuplicatesStatusBody> {
  const progress = stored?.task.backfill;
  return {
    running: isRunning(stored, now),
    ...(stored ? { phase: stored.task.isSearched ? ('analysis' as const) : ('search' as const) } : {}),
    total: progress?.total ?? 0,
    done: progress?.done ?? 0,
    detected: progress?.detected ?? 0,
    started_at: progress?.startedAt ?? null,
    finished_at: stored?.finishedAt ?? null,
    last_anchor: stored?.task.anchor || null,
    clear_first: progress?.clearFirst ?? false,
    cleared: progress?.cleared ?? null,
    recorded_duplicates: recorded,
  };
}

interface DuplicateRoutesDeps {
  duplicates: Pick<DuplicatesStore, 'list' | 'find'>;
  status: BackfillStatus<DuplicatesTask>;
  ingest: { enqueue(jobs: readonly { kind: 'duplicates'; task: DuplicatesTask }[]): Promise<void> };
  /** Number of stored names. */
  count(): Promise<number>;
}

const part: PartSwitch = { name: 'duplicate names', isOn: ({ leaderboardDuplicatesEnabled }) => leaderboardDuplicatesEnabled };

/** Endpoints of duplicate names: list, lookup, backfill. */
export function createDuplicateEndpoints({ duplicates, status, ingest, count }: DuplicateRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/duplicates',
      operationId: 'listDuplicateNames',
      summary: 'List duplicate names',
      description:
        'Lists names that a capture has more than once on one board with different ranks or scores (`same_name`), and names with spellings that differ in case (`case`). The verdict says how many of these characters play.',
      query: DuplicatesQuery,
      ok: { description: 'A page of duplicate names.', schema: DuplicatesBody },
      table: listTable(DuplicatesBody, 'duplicates'),
    }).handle(async ({ query }) => {
      return json(toDuplicatesBody(await duplicates.list(query), query), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/duplicates/{name}',
      operationId: 'getDuplicateName',
      summary: 'Look up a duplicate name',
      description: 'Returns the duplicate with this name, without regard to case, or `found: false`.',
      params: PlayerPath,
      ok: { description: 'The name.', schema: DuplicateLookupBody },
    }).handle(async ({ params }) => {
      const query = params.name.trim();
      const found = await duplicates.find(query);
      const body = found
        ? { query, found: true as const, enabled: true, ...toDuplicateBody(found) }
        : { query, found: false as const, enabled: true };
      return json(body, { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'post',
      path: '/v1/leaderboards/duplicates-backfill',
      operationId: 'backfillDuplicateNames',
      summary: 'Backfill duplicate names',
      description: 'Searches all captures in the background, oldest first. Returns 409 while a backfill is running.',
      access: masterAccess('leaderboards-duplicates-backfill'),
      query: BackfillQuery,
      errors: ['conflict'],
      ok: { status: 202, description: 'The backfill was queued.', schema: BackfillBody },
    }).handle(async ({ query: { clear_first: clearFirst }, now }) => {
      const task: DuplicatesTask = { anchor: 0, isSearched: false, backfill: newProgress(now, clearFirst) };
      await status.begin(task, now);
      await ingest.enqueue([{ kind: 'duplicates', task }]);
      return json({ started: true, clear_first: clearFirst } as const);
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'get',
      path: '/v1/leaderboards/duplicates-backfill-status',
      operationId: 'getDuplicatesBackfill',
      summary: 'Get the backfill of duplicate names',
      description: 'Returns the progress of the running or last backfill; a finished one is reported for a day.',
      access: masterReadAccess,
      ok: { description: 'The progress.', schema: DuplicatesStatusBody },
    }).handle(async ({ now }) => {
      const [stored, recorded] = await Promise.all([status.get(now), count()]);
      return json(toDuplicatesStatusBody(stored, recorded, now));
    }),
  ];
}
