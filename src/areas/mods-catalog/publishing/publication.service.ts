import { and, eq, lte, sql } from 'drizzle-orm';
import { outbox as outboxTable } from '../../../platform/durable/outbox.tables.ts';
import type { Attempt, DeliveryOutcome, Outbox, OutboxQueue, QueuedItem } from '../../../platform/durable/outbox.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { isAnnounced } from '../insert/insert.domain.ts';
import { modReleases, type mods } from '../records/catalog.tables.ts';
import { createFileClaims, FILE_REFUSALS } from '../records/file-claims.store.ts';
import type { LinksFor, Mod } from '../records/mod.domain.ts';
import { historyOf, modReleaseData } from '../records/mod-release-event.domain.ts';
import {
  type Announcements,
  announceStatement,
  type ModWrites,
  releaseImagesStatement,
  type Statement,
  saveUnlessChanged,
} from '../records/mod-writes.store.ts';
import type { PublishingAccess } from './access.service.ts';
import type { Allowances } from './allowances.service.ts';
import { type DraftFiles, filesOf } from './draft-files.store.ts';
import type { ProjectsStore } from './projects.store.ts';
import { createReleaseStatements, type ProjectRelease } from './releases.store.ts';

/** Retries with every run of the job, once a minute, without limit. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 30, factor: 1, longestPauseSeconds: 30 };
const LEASE_SECONDS = 30;
/** Entries that one read selects. */
const BATCH_SIZE = 50;
const KIND = 'mod-publication';
const MAX_ATTEMPTS = 3;
/** Actor of the audit trail for a release that was scheduled. */
const SCHEDULE = 'schedule';

interface PublicationDeps {
  db: Database;
  outbox: Outbox;
  projects: ProjectsStore;
  drafts: DraftFiles;
  writes: Pick<ModWrites, 'findRefusal'>;
  announcements: Pick<Announcements, 'deliver'>;
  access: Pick<PublishingAccess, 'problemOf'>;
  allowances: Pick<Allowances, 'chargeIfRoom'>;
  linksFor: LinksFor;
  /** Updates the search index after a change of the mod. */
  reindex(modId: number): Promise<void>;
}

interface PublicationContext extends PublicationDeps {
  releases: ReturnType<typeof createReleaseStatements>;
  queue: OutboxQueue;
}

export type Publication = ReturnType<typeof createPublication>;

/**
 * One outbox entry publishes, announces and reindexes: the release, the ownership of its file, the time of the newest release and the event
 * are one transaction, and the entry is deleted only after the event was sent. A crash at any point repeats the rest.
 */
export function createPublication(deps: PublicationDeps) {
  const queue = deps.outbox.kind({
    name: KIND,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    concurrency: 1,
    deliver: (entry, attempt) => deliverEntry(context, entry, attempt),
  });
  const context: PublicationContext = { ...deps, releases: createReleaseStatements(deps.db), queue };
  return bind(context, { insertion, run, cancelStatement, drain, announce, firstAnnouncement });
}

/**
 * Publishes the release of an entry, then announces it: only a stored release has an announcement. The outbox retries an entry before its time,
 * and one whose project was changed concurrently.
 */
async function deliverEntry(
  deps: PublicationContext,
  { key, payload: baseUrl }: QueuedItem,
  { now }: Pick<Attempt, 'now'>,
): Promise<DeliveryOutcome> {
  const [releaseId = '', at = ''] = key.split(':');
  const wait = Number(at) - now;
  if (wait > 0) return { kind: 'retry', reason: 'not due', retryAfterSeconds: wait };
  const modId = await publish(deps, releaseId, Number(at), { baseUrl, now });
  if (modId === 'changed') return { kind: 'retry', reason: 'the project was changed concurrently' };
  if (modId === null) return { kind: 'done' };
  await deps.announcements.deliver(releaseId, { now });
  await deps.reindex(modId);
  return { kind: 'done' };
}

/** Due entries, the first of each project before the second of any, so that no project holds up the others. */
async function listDue({ db }: PublicationContext, now: UnixSeconds): Promise<string[]> {
  const modId = sql`(select mod_id from ${modReleases} where id = substr(${outboxTable.key}, 1, instr(${outboxTable.key}, ':') - 1))`;
  const rows = await db
    .select({ key: outboxTable.key })
    .from(outboxTable)
    .where(and(eq(outboxTable.kind, KIND), lte(outboxTable.nextTryAt, now)))
    .orderBy(sql`row_number() over (partition by ${modId} order by ${outboxTable.nextTryAt}, rowid)`, outboxTable.nextTryAt)
    .limit(BATCH_SIZE);
  return rows.map(({ key }) => key);
}

/** Id of the mod of a published release; null for one that is not published, because it was cancelled or must not be. */
async function publish(
  deps: PublicationContext,
  releaseId: string,
  at: UnixSeconds,
  { baseUrl, now }: { baseUrl: string; now: UnixSeconds },
): Promise<number | null | 'changed'> {
  // A concurrent change of the release or the mod rejects the write: each attempt reads both again and decides again.
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const release = await deps.projects.findRelease(releaseId);
    if (release?.isPublished) return release.modId;
    const mod = release && (await deps.projects.findMod(release.modId));
    if (!release || !mod || release.publishAt !== at) return null;
    const fileRefusal = await deps.writes.findRefusal(release, mod.handle);
    const refusal =
      mod.takenDownAt !== null
        ? 'the mod was taken down'
        : fileRefusal === null
          ? await deps.access.problemOf(mod.id)
          : FILE_REFUSALS[fileRefusal];
    const copy = refusal === null ? await deps.drafts.copyToContents(release, now) : 'copied';
    if (copy === 'busy') return 'changed';
    const problem = copy === 'lost' ? 'the file is lost; upload it again' : refusal;
    const isStored =
      problem === null ? await storePublished(deps, mod, release, { baseUrl, now }) : await storeFailed(deps, release, problem, now);
    if (isStored) return problem === null ? mod.id : null;
  }
  return 'changed';
}

async function storePublished(
  { projects, allowances, db, releases, drafts, linksFor }: PublicationContext,
  mod: typeof mods.$inferSelect,
  release: ProjectRelease,
  { baseUrl, now }: { baseUrl: string; now: UnixSeconds },
): Promise<boolean> {
  // A release that was published before keeps its first time.
  const publishedAt = release.publishedAt ?? now;
  const published = { ...release, isPublished: true, publishedAt };
  // After a take-down of one of its members the mod waits for a moderator.
  const isHeld = await projects.isHeld(mod.id);
  const isSent = !isHeld && isAnnounced(mod, published);
  // Without room the event is sent, but chats post nothing and the mod does not rise in lists.
  const charged = isSent ? await allowances.chargeIfRoom(mod.id, { announcements: 1 }, now) : [];
  const history = historyOf(published, await projects.listReleases(mod.id));
  return saveUnlessChanged(db, [
    // Fails the transaction when the release was cancelled, rescheduled or published meanwhile.
    ...releases.publish(mod, release, {
      isUnchanged: projects.isUnchanged(release),
      publishedAt,
      isRising: charged !== null,
      announcedAt: isSent || release.isSilent ? now : null,
      now,
    }),
    projects.holdStatement(mod.id, isHeld),
    createFileClaims(db).guardStatement(mod.id, release, mod.handle),
    releaseImagesStatement(db, mod.id),
    ...filesOf(release).map((file) => drafts.removalStatement(file, now)),
    ...(isSent
      ? [
          announceStatement(
            db,
            { releaseId: release.id, data: modReleaseData(mod, published, history, linksFor(baseUrl), charged !== null) },
            now,
          ),
        ]
      : []),
    ...(charged ?? []),
    ...projects.auditStatements({ projectId: mod.id, at: now, actor: SCHEDULE, action: 'release_published', detail: nameOf(release) }),
  ]);
}

function storeFailed(
  { db, projects, releases }: PublicationContext,
  release: ProjectRelease,
  problem: string,
  now: UnixSeconds,
): Promise<boolean> {
  return saveUnlessChanged(db, [
    ...projects.auditStatements({
      projectId: release.modId,
      at: now,
      actor: SCHEDULE,
      action: 'release_refused',
      detail: `${nameOf(release)}: ${problem}`,
      onlyIf: projects.isUnchanged(release),
    }),
    releases.fail(release.id, problem),
  ]);
}

/** The statement that queues the publication of a draft. The release row must have the same time in `publish_at`. */
const insertion = ({ queue }: PublicationContext, releaseId: string, at: UnixSeconds, baseUrl: string): Statement =>
  queue.insertion({ key: `${releaseId}:${at}`, payload: baseUrl }, at);

/** Publishes now if the time has come; the job retries failures. */
const run = async ({ queue }: PublicationContext, releaseId: string, at: UnixSeconds, now: UnixSeconds): Promise<void> =>
  void (await queue.deliver(`${releaseId}:${at}`, { now }));

/** Deletes the entries of a release: it is scheduled for another time, or not at all. */
const cancelStatement = ({ db }: PublicationContext, releaseId: string): Statement =>
  db
    .delete(outboxTable)
    .where(and(eq(outboxTable.kind, KIND), sql`${outboxTable.key} > ${`${releaseId}:`} and ${outboxTable.key} < ${`${releaseId};`}`));

/** Publishes what is due, until the job ends. A failure is due again later. */
async function drain(deps: PublicationContext, attempt: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const keys = (await listDue(deps, attempt.now)).filter((key) => !tried.has(key));
    if (keys.length === 0) return;
    for (const key of keys) {
      if (attempt.signal?.aborted) return;
      tried.add(key);
      await deps.queue.deliver(key, attempt);
    }
  }
}

const announce = async ({ announcements }: PublicationContext, releaseId: string, now: UnixSeconds): Promise<void> =>
  void (await announcements.deliver(releaseId, { now }));

/** For a mod that becomes public: the statements that announce its newest release and mark the older ones as announced. */
async function firstAnnouncement(
  { projects, allowances, linksFor, releases, db }: PublicationContext,
  mod: Mod,
  { now, baseUrl }: { now: UnixSeconds; baseUrl: string },
): Promise<{ releaseId: string | null; statements: Statement[] }> {
  const stored = await projects.listReleases(mod.id);
  const pending = stored
    .filter((release) => release.isPublished && !release.isSilent && release.createdAt !== null && release.announcedAt === null)
    .toSorted((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0));
  const [newest] = pending;
  if (!newest) return { releaseId: null, statements: [] };
  const charged = await allowances.chargeIfRoom(mod.id, { announcements: 1 }, now);
  const data = modReleaseData(mod, newest, historyOf(newest, stored), linksFor(baseUrl), charged !== null);
  return {
    releaseId: newest.id,
    statements: [
      ...(charged ?? [releases.lowerStatement(mod.id)]),
      releases.markAnnounced(mod.id, now),
      announceStatement(db, { releaseId: newest.id, data }, now),
    ],
  };
}

/** A release in the audit trail. */
export const nameOf = ({ tag, branch }: Pick<ProjectRelease, 'tag' | 'branch'>): string => `${tag} on ${branch}`;
