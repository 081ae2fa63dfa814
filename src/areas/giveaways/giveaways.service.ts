import type { SQL } from 'drizzle-orm';
import { ApiError, badRequest, notFound } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { runEach } from '../../platform/kit/tasks.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import {
  changeProblem,
  createSeed,
  drawWinner,
  type Giveaway,
  type GiveawayEntry,
  type GiveawayStatus,
  type GiveawayTerms,
  type PublicGiveaway,
  publicName,
  termsProblem,
  winnerMail,
} from './giveaways.domain.ts';
import type { EntriesStore, GiveawaysStore, PublicGiveaways } from './giveaways.store.ts';

interface GiveawaysDeps {
  giveaways: GiveawaysStore;
  publicGiveaways: PublicGiveaways;
  entries: EntriesStore;
  newId(): string;
  drawBytes(count: number): Uint8Array;
  /** Called when the list of open giveaways may have changed. */
  onChange(now: UnixSeconds): Promise<void>;
  mailer: Pick<Mailer, 'compose' | 'send'>;
}

export type GiveawaysService = ReturnType<typeof createGiveawaysService>;

const LIST_TTL_MS = 2000;
const MAX_GIVEAWAYS_PER_RUN = 50;
const ID_PAGE_SIZE = 10_000;
const MAX_OWN_ENTRIES = 500;
/** Maximum attempts of a draw with concurrent entries. */
const MAX_DRAW_ATTEMPTS = 20;

const conflict = (message: string) => new ApiError('conflict', message);

export function createGiveawaysService({ giveaways, publicGiveaways, entries, newId, drawBytes, onChange, mailer }: GiveawaysDeps) {
  const openGiveaways = createRevalidatingCache(() => publicGiveaways.open(), LIST_TTL_MS);

  async function find(id: string): Promise<Giveaway> {
    const giveaway = await giveaways.find(id);
    if (!giveaway) throw notFound('giveaway not found');
    return giveaway;
  }

  async function notifyChange(id: string, now: UnixSeconds): Promise<Giveaway> {
    openGiveaways.invalidate();
    await onChange(now);
    return find(id);
  }

  async function listAllIds(giveawayId: string): Promise<string[]> {
    const ids: string[] = [];
    for (
      let page = await entries.listIds(giveawayId, '', ID_PAGE_SIZE);
      page.length > 0;
      page = await entries.listIds(giveawayId, page.at(-1) ?? '', ID_PAGE_SIZE)
    ) {
      ids.push(...page);
    }
    return ids;
  }

  /**
   * Ends an open giveaway and queues the mail to the winner in one transaction. Starts again when terms or entries change meanwhile.
   * `endOf` returns the end of the giveaway, or null when it must stay open. False when it stays open or is no longer open.
   */
  async function draw(id: string, endOf: (giveaway: Giveaway) => UnixSeconds | null, now: UnixSeconds): Promise<boolean> {
    const mailId = `winner-${id}`;
    for (let draws = 0; draws < MAX_DRAW_ATTEMPTS; draws += 1) {
      // Read before the entries, because `markEnded` compares the revision.
      const giveaway = await find(id);
      const endsAt = endOf(giveaway);
      if (giveaway.status !== 'open' || endsAt === null) return false;
      const outcome = drawWinner(giveaway.seed ?? '', await listAllIds(id));
      const account = outcome && (await entries.findAccount(outcome.winnerEntryId));
      const winner =
        outcome && account
          ? {
              entriesHash: outcome.entriesHash,
              winnerEntryId: outcome.winnerEntryId,
              winnerUserId: account.userId,
              winnerName: publicName(account.displayName, account.email ?? ''),
            }
          : null;
      const mail = account?.email ? { to: account.email, ...winnerMail(giveaway) } : undefined;
      const mailTo = mail && ((isStored: SQL) => mailer.compose(mail, now, mailId, isStored).insertion);
      if (await giveaways.markEnded(giveaway, { endsAt, winner }, mailTo)) {
        if (mail) await mailer.send(mailId, now);
        return true;
      }
    }
    throw new Error(`draw abandoned after ${MAX_DRAW_ATTEMPTS} concurrent changes`);
  }

  async function open(id: string, now: UnixSeconds): Promise<void> {
    await giveaways.markOpen(id, createSeed(drawBytes), now);
  }

  /** Opens or ends a due giveaway; does both when its end has passed too. */
  async function advance({ id, status, endsAt }: Giveaway, now: UnixSeconds): Promise<void> {
    if (status === 'scheduled') await open(id, now);
    if (endsAt <= now) await draw(id, (giveaway) => (giveaway.endsAt <= now ? giveaway.endsAt : null), now);
  }

  return {
    /** Open giveaways, at most two seconds old. */
    ongoing: openGiveaways.get,
    /** Invalidates the cache of `ongoing`. */
    invalidateReads: openGiveaways.invalidate,
    upcoming: (): Promise<PublicGiveaway[]> => publicGiveaways.scheduled(),
    ended: (days: number, now: UnixSeconds): Promise<PublicGiveaway[]> => publicGiveaways.ended(now - days * SECONDS_PER_DAY),
    all: (status: GiveawayStatus | undefined): Promise<Giveaway[]> => giveaways.all(status),

    /** Entry ids of a draw, ascending, after an id. Throws 404 before the draw. */
    async listDrawEntries(id: string, after: string, limit: number): Promise<{ giveaway: PublicGiveaway; ids: string[] }> {
      const draw = await publicGiveaways.findDraw(id, after, limit);
      if (!draw) throw notFound('draw not found');
      return draw;
    },

    /** Throws 400 for invalid times. */
    async create(terms: GiveawayTerms, now: UnixSeconds): Promise<Giveaway> {
      requireTimes(terms, now);
      const id = newId();
      await giveaways.create({ ...terms, ...BLANK, id, createdAt: now });
      if (terms.startsAt <= now) await open(id, now);
      return notifyChange(id, now);
    },

    /** Throws 404, 409 for fields that can no longer be changed, and 400 for invalid times. */
    async change(id: string, terms: Partial<GiveawayTerms>, now: UnixSeconds): Promise<Giveaway> {
      const giveaway = await find(id);
      const problem = changeProblem(giveaway.status, Object.keys(terms));
      if (problem !== null) throw conflict(problem);
      const updated = { ...giveaway, ...terms };
      requireTimes(updated, now);
      if (Object.keys(terms).length > 0 && !(await giveaways.change(giveaway, terms)))
        throw conflict('the giveaway was changed concurrently');
      if (giveaway.status === 'scheduled' && updated.startsAt <= now) await open(id, now);
      return notifyChange(id, now);
    },

    /** Draws the winner now. Throws 404, and 409 when the giveaway is not open. */
    async close(id: string, now: UnixSeconds): Promise<Giveaway> {
      const { status } = await find(id);
      if (status !== 'open') throw conflict(`the giveaway is ${status}`);
      if (!(await draw(id, ({ endsAt }) => Math.min(now, endsAt), now))) throw conflict('the giveaway is no longer open');
      return notifyChange(id, now);
    },

    /** Throws 404, and 409 when the giveaway is drawn. */
    async cancel(id: string, now: UnixSeconds): Promise<Giveaway> {
      const { status } = await find(id);
      if (status === 'drawn') throw conflict('the giveaway was already drawn');
      if (status !== 'cancelled' && !(await giveaways.cancel(id, ['scheduled', 'open', 'closed'])))
        throw conflict('the giveaway was already drawn');
      return notifyChange(id, now);
    },

    /** Enters an account; idempotent. Returns the number of entries. Throws 404, and 409 when the giveaway is not open. */
    async enter(id: string, userId: string, now: UnixSeconds): Promise<number> {
      const { entered, entryCount } = await entries.enter({ id: newId(), giveawayId: id, userId, enteredAt: now });
      requireOpen(await find(id), now);
      if (!entered) throw conflict('the giveaway has ended');
      openGiveaways.invalidate();
      return entryCount;
    },

    /** Withdraws the entry of an account; idempotent. Returns the number of entries. Throws 404, and 409 when the giveaway is not open. */
    async withdraw(id: string, userId: string, now: UnixSeconds): Promise<number> {
      const { entered, entryCount } = await entries.withdraw({ giveawayId: id, userId }, now);
      requireOpen(await find(id), now);
      if (entered) throw conflict('the giveaway has ended');
      openGiveaways.invalidate();
      return entryCount;
    },

    /** Entries of an account, newest first. */
    entriesOf: (userId: string): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]> => entries.byAccountId(userId, MAX_OWN_ENTRIES),

    /** Opens and draws due giveaways. Throws after all were tried when some failed. */
    async processDue(now: UnixSeconds): Promise<void> {
      const due = await giveaways.due(now, MAX_GIVEAWAYS_PER_RUN);
      if (due.length === 0) return;
      const advanceEach = () =>
        runEach(due, async (giveaway) => {
          try {
            await advance(giveaway, now);
          } catch (error) {
            logError('giveaway could not be opened or drawn', error, { giveaway_id: giveaway.id });
            // Giveaways that fail every time must not keep the others out of the limited number of a run.
            await giveaways.markFailed(giveaway.id, now);
            throw error;
          }
        });
      // The change of those that succeeded is reported although others failed.
      const reportChange = () => {
        openGiveaways.invalidate();
        return onChange(now);
      };
      await runEach([advanceEach, reportChange], (step) => step());
    },
  };
}

const BLANK = {
  status: 'scheduled',
  entryCount: 0,
  revision: 0,
  seed: null,
  seedHash: null,
  entriesHash: null,
  winnerEntryId: null,
  winnerUserId: null,
  winnerName: null,
} as const;

function requireOpen({ status, endsAt }: Giveaway, now: UnixSeconds): void {
  if (status !== 'open') throw conflict(`the giveaway is ${status}`);
  if (endsAt <= now) throw conflict('the giveaway has ended');
}

function requireTimes(terms: Pick<GiveawayTerms, 'startsAt' | 'endsAt'>, now: UnixSeconds): void {
  const problem = termsProblem(terms, now);
  if (problem !== null) throw badRequest(problem);
}
