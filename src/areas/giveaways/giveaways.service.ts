import type { SQL } from 'drizzle-orm';
import { ApiError, badRequest, notFound } from '../../platform/errors/api-error.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { createTtlCache } from '../../platform/storage/ttl-cache.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/time/clock.ts';
import { drawWinner, makeSeed } from './draw.ts';
import type { EntriesRepository } from './entries.repository.ts';
import {
  changeProblem,
  type Giveaway,
  type GiveawayEntry,
  type GiveawayStatus,
  type GiveawayTerms,
  publicName,
  termsProblem,
} from './giveaway.domain.ts';
import type { GiveawaysRepository } from './giveaways.repository.ts';
import { winnerMail } from './winner-mail.domain.ts';

export interface GiveawaysDeps {
  giveaways: GiveawaysRepository;
  entries: EntriesRepository;
  newId(): string;
  drawBytes(count: number): Uint8Array;
  /** Called when the list of open giveaways may have changed. */
  onChange(now: UnixSeconds): Promise<void>;
  mailer: Pick<Mailer, 'compose' | 'send'>;
}

export interface GiveawaysService {
  /** Open ones, up to two seconds old. */
  ongoing(): Giveaway[] | Promise<Giveaway[]>;
  /** Invalidates the cache. */
  invalidateReads(): void;
  upcoming(): Promise<Giveaway[]>;
  ended(days: number, now: UnixSeconds): Promise<Giveaway[]>;
  /** The ids that a finished draw was made from, ascending, after an id. Throws 404 before the draw. */
  drawnFrom(id: string, after: string, limit: number): Promise<{ giveaway: Giveaway; ids: string[] }>;
  all(status: GiveawayStatus | undefined): Promise<Giveaway[]>;
  /** Throws 400 for invalid times. */
  create(terms: GiveawayTerms, now: UnixSeconds): Promise<Giveaway>;
  /** Throws 404, 409 for fields that can no longer be changed, 400 for invalid times. */
  change(id: string, terms: Partial<GiveawayTerms>, now: UnixSeconds): Promise<Giveaway>;
  /** Draws now. Throws 404, 409 when it is not open. */
  close(id: string, now: UnixSeconds): Promise<Giveaway>;
  /** Throws 404, 409 when it is drawn. */
  cancel(id: string, now: UnixSeconds): Promise<Giveaway>;
  /** Enters an account; entering again changes nothing. Throws 404, 409 when it is not open. */
  enter(id: string, userId: string, now: UnixSeconds): Promise<number>;
  /** Takes an account's entry back; without one nothing changes. Throws 404, 409 when it is not open. */
  withdraw(id: string, userId: string, now: UnixSeconds): Promise<number>;
  /** Entries of an account, newest first. */
  entriesOf(userId: string): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]>;
  /** Opens and draws due giveaways. */
  step(now: UnixSeconds): Promise<void>;
}

const LIST_TTL_MS = 2000;
const STEP_GIVEAWAYS = 50;
const ID_PAGE = 10_000;
const MAX_OWN_ENTRIES = 500;
/** Maximum retries of a draw that races with new entries. */
const MAX_DRAWS = 20;

const conflict = (message: string) => new ApiError('conflict', message);

export function createGiveawaysService({ giveaways, entries, newId, drawBytes, onChange, mailer }: GiveawaysDeps): GiveawaysService {
  const kept = createTtlCache(() => giveaways.open(), LIST_TTL_MS);

  async function find(id: string): Promise<Giveaway> {
    const found = await giveaways.find(id);
    if (!found) throw notFound('giveaway not found');
    return found;
  }

  async function changed(id: string, now: UnixSeconds): Promise<Giveaway> {
    kept.invalidate();
    await onChange(now);
    return find(id);
  }

  async function allIds(giveawayId: string): Promise<string[]> {
    const ids: string[] = [];
    for (
      let page = await entries.ids(giveawayId, '', ID_PAGE);
      page.length > 0;
      page = await entries.ids(giveawayId, page.at(-1) ?? '', ID_PAGE)
    ) {
      ids.push(...page);
    }
    return ids;
  }

  /** Ends an open giveaway and queues the mail to the winner, both or neither; false when it is not open any more. */
  async function draw(giveaway: Giveaway, endsAt: UnixSeconds, now: UnixSeconds): Promise<boolean> {
    const { id, seed } = giveaway;
    const mailId = `winner-${id}`;
    for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
      const ids = await allIds(id);
      const outcome = drawWinner(seed ?? '', ids);
      const account = outcome && (await entries.account(outcome.winnerEntryId));
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
      if (await giveaways.markEnded(id, ids.length, { endsAt, winner }, mailTo)) {
        if (mail) await mailer.send(mailId, now);
        return true;
      }
      if ((await find(id)).status !== 'open') return false;
    }
    throw new Error('draw abandoned after 20 concurrent changes');
  }

  async function open(id: string): Promise<void> {
    await giveaways.markOpen(id, makeSeed(drawBytes));
  }

  /** Opens and ends due giveaways. One that is long over goes through both. */
  async function advance(giveaway: Giveaway, now: UnixSeconds): Promise<void> {
    if (giveaway.status === 'scheduled') await open(giveaway.id);
    if (giveaway.endsAt <= now) await draw(await find(giveaway.id), giveaway.endsAt, now);
  }

  return {
    ongoing: kept.get,
    invalidateReads: kept.invalidate,
    upcoming: () => giveaways.scheduled(),
    ended: (days, now) => giveaways.ended(now - days * SECONDS_PER_DAY),
    all: (status) => giveaways.all(status),

    async drawnFrom(id, after, limit) {
      const giveaway = await find(id);
      if (giveaway.status !== 'drawn') throw notFound('draw not found');
      return { giveaway, ids: await entries.ids(id, after, limit) };
    },

    async create(terms, now) {
      requireTimes(terms, now);
      const id = newId();
      await giveaways.create({ ...terms, ...BLANK, id, createdAt: now });
      if (terms.startsAt <= now) await open(id);
      return changed(id, now);
    },

    async change(id, terms, now) {
      const giveaway = await find(id);
      const problem = changeProblem(giveaway.status, Object.keys(terms));
      if (problem !== null) throw conflict(problem);
      const wanted = { ...giveaway, ...terms };
      requireTimes(wanted, now);
      if (Object.keys(terms).length > 0 && !(await giveaways.change(id, giveaway.status, terms)))
        throw conflict('the giveaway was changed concurrently');
      if (giveaway.status === 'scheduled' && wanted.startsAt <= now) await open(id);
      return changed(id, now);
    },

    async close(id, now) {
      const giveaway = await find(id);
      if (giveaway.status !== 'open') throw conflict(`the giveaway is ${giveaway.status}`);
      if (!(await draw(giveaway, Math.min(now, giveaway.endsAt), now))) throw conflict('the giveaway is no longer open');
      return changed(id, now);
    },

    async cancel(id, now) {
      const { status } = await find(id);
      if (status === 'drawn') throw conflict('the giveaway was already drawn');
      if (status !== 'cancelled' && !(await giveaways.cancel(id, ['scheduled', 'open', 'closed'])))
        throw conflict('the giveaway was already drawn');
      return changed(id, now);
    },

    async enter(id, userId, now) {
      const { entered, entryCount } = await entries.enter({ id: newId(), giveawayId: id, userId, enteredAt: now });
      requireOpen(await find(id), now);
      if (!entered) throw conflict('the giveaway has ended');
      kept.invalidate();
      return entryCount;
    },

    async withdraw(id, userId, now) {
      const { entered, entryCount } = await entries.withdraw({ giveawayId: id, userId }, now);
      requireOpen(await find(id), now);
      if (entered) throw conflict('the giveaway has ended');
      kept.invalidate();
      return entryCount;
    },

    entriesOf: (userId) => entries.byAccountId(userId, MAX_OWN_ENTRIES),

    async step(now) {
      const due = await giveaways.due(now, STEP_GIVEAWAYS);
      if (due.length === 0) return;
      for (const giveaway of due) await advance(giveaway, now);
      kept.invalidate();
      await onChange(now);
    },
  };
}

const BLANK = {
  status: 'scheduled',
  entryCount: 0,
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
