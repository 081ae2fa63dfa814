import type { SQL } from 'drizzle-orm';
import { bind } from '../../platform/kit/bind.ts';
import { ApiError, badRequest, notFound } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { runEach } from '../../platform/kit/tasks.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createRevalidatingCache, type TtlCache } from '../../platform/storage/memory-caches.ts';
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
  randomBytes(count: number): Uint8Array;
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

interface GiveawaysContext extends GiveawaysDeps {
  /** The cache of `ongoing`. */
  openGiveaways: TtlCache<PublicGiveaway[]>;
}

export function createGiveawaysService(deps: GiveawaysDeps) {
  const openGiveaways = createRevalidatingCache(() => deps.publicGiveaways.open(), LIST_TTL_MS);
  const context: GiveawaysContext = { ...deps, openGiveaways };
  return {
    /** Open giveaways, at most two seconds old. */
    ongoing: openGiveaways.get,
    /** Invalidates the cache of `ongoing`. */
    invalidateReads: openGiveaways.invalidate,
    ...bind(context, { upcoming, ended, all, listDrawEntries, create, change, close, cancel, enter, withdraw, entriesOf, processDue }),
  };
}

async function find({ giveaways }: GiveawaysDeps, id: string): Promise<Giveaway> {
  const giveaway = await giveaways.find(id);
  if (!giveaway) throw notFound('giveaway not found');
  return giveaway;
}

async function notifyChange(deps: GiveawaysContext, id: string, now: UnixSeconds): Promise<Giveaway> {
  deps.openGiveaways.invalidate();
  await deps.onChange(now);
  return find(deps, id);
}

async function listAllIds({ entries }: GiveawaysDeps, giveawayId: string): Promise<string[]> {
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
async function draw(
  deps: GiveawaysContext,
  id: string,
  endOf: (giveaway: Giveaway) => UnixSeconds | null,
  now: UnixSeconds,
): Promise<boolean> {
  const mailId = `winner-${id}`;
  for (let draws = 0; draws < MAX_DRAW_ATTEMPTS; draws += 1) {
    // Read before the entries, because `markEnded` compares the revision.
    const giveaway = await find(deps, id);
    const endsAt = endOf(giveaway);
    if (giveaway.status !== 'open' || endsAt === null) return false;
    const outcome = drawWinner(giveaway.seed ?? '', await listAllIds(deps, id));
    const account = outcome && (await deps.entries.findAccount(outcome.winnerEntryId));
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
    const mailTo = mail && ((isStored: SQL) => deps.mailer.compose(mail, now, mailId, isStored).insertion);
    // The mail is queued in the transaction that ends the giveaway. The mail job sends it if the attempt below fails.
    if (await deps.giveaways.markEnded(giveaway, { endsAt, winner }, mailTo)) {
      if (mail) await deps.mailer.send(mailId, now);
      return true;
    }
  }
  throw new Error(`draw abandoned after ${MAX_DRAW_ATTEMPTS} concurrent changes`);
}

async function open({ giveaways, randomBytes }: GiveawaysDeps, id: string, now: UnixSeconds): Promise<void> {
  await giveaways.markOpen(id, createSeed(randomBytes), now);
}

/** Opens or ends a due giveaway; does both when its end has passed too. */
async function advance(deps: GiveawaysContext, { id, status, endsAt }: Giveaway, now: UnixSeconds): Promise<void> {
  if (status === 'scheduled') await open(deps, id, now);
  if (endsAt <= now) await draw(deps, id, (giveaway) => (giveaway.endsAt <= now ? giveaway.endsAt : null), now);
}

const upcoming = ({ publicGiveaways }: GiveawaysDeps): Promise<PublicGiveaway[]> => publicGiveaways.scheduled();

const ended = ({ publicGiveaways }: GiveawaysDeps, days: number, now: UnixSeconds): Promise<PublicGiveaway[]> =>
  publicGiveaways.ended(now - days * SECONDS_PER_DAY);

const all = ({ giveaways }: GiveawaysDeps, status: GiveawayStatus | undefined): Promise<Giveaway[]> => giveaways.all(status);

/** Entry ids of a draw, ascending, after an id. Throws 404 before the draw. */
async function listDrawEntries(
  { publicGiveaways }: GiveawaysDeps,
  id: string,
  after: string,
  limit: number,
): Promise<{ giveaway: PublicGiveaway; ids: string[] }> {
  const draw = await publicGiveaways.findDraw(id, after, limit);
  if (!draw) throw notFound('draw not found');
  return draw;
}

/** Throws 400 for invalid times. */
async function create(deps: GiveawaysContext, terms: GiveawayTerms, now: UnixSeconds): Promise<Giveaway> {
  requireTimes(terms, now);
  const id = deps.newId();
  await deps.giveaways.create({ ...terms, ...BLANK, id, createdAt: now });
  if (terms.startsAt <= now) await open(deps, id, now);
  return notifyChange(deps, id, now);
}

/** Throws 404, 409 for fields that can no longer be changed, and 400 for invalid times. */
async function change(deps: GiveawaysContext, id: string, terms: Partial<GiveawayTerms>, now: UnixSeconds): Promise<Giveaway> {
  const giveaway = await find(deps, id);
  const problem = changeProblem(giveaway.status, Object.keys(terms));
  if (problem !== null) throw conflict(problem);
  const updated = { ...giveaway, ...terms };
  requireTimes(updated, now);
  if (Object.keys(terms).length > 0 && !(await deps.giveaways.change(giveaway, terms)))
    throw conflict('the giveaway was changed concurrently');
  if (giveaway.status === 'scheduled' && updated.startsAt <= now) await open(deps, id, now);
  return notifyChange(deps, id, now);
}

/** Draws the winner now. Throws 404, and 409 when the giveaway is not open. */
async function close(deps: GiveawaysContext, id: string, now: UnixSeconds): Promise<Giveaway> {
  const { status } = await find(deps, id);
  if (status !== 'open') throw conflict(`the giveaway is ${status}`);
  if (!(await draw(deps, id, ({ endsAt }) => Math.min(now, endsAt), now))) throw conflict('the giveaway is no longer open');
  return notifyChange(deps, id, now);
}

/** Throws 404, and 409 when the giveaway is drawn. */
async function cancel(deps: GiveawaysContext, id: string, now: UnixSeconds): Promise<Giveaway> {
  const { status } = await find(deps, id);
  if (status === 'drawn') throw conflict('the giveaway was already drawn');
  if (status !== 'cancelled' && !(await deps.giveaways.cancel(id, ['scheduled', 'open', 'closed'])))
    throw conflict('the giveaway was already drawn');
  return notifyChange(deps, id, now);
}

/** Enters an account; idempotent. Returns the number of entries. Throws 404, and 409 when the giveaway is not open. */
async function enter(deps: GiveawaysContext, id: string, userId: string, now: UnixSeconds): Promise<number> {
  // The statement alone decides, at one moment with a draw. The giveaway is read afterwards, for the text of a refusal.
  const { entered, entryCount } = await deps.entries.enter({ id: deps.newId(), giveawayId: id, userId, enteredAt: now });
  requireOpen(await find(deps, id), now);
  if (!entered) throw conflict('the giveaway has ended');
  deps.openGiveaways.invalidate();
  return entryCount;
}

/** Withdraws the entry of an account; idempotent. Returns the number of entries. Throws 404, and 409 when the giveaway is not open. */
async function withdraw(deps: GiveawaysContext, id: string, userId: string, now: UnixSeconds): Promise<number> {
  const { entered, entryCount } = await deps.entries.withdraw({ giveawayId: id, userId }, now);
  requireOpen(await find(deps, id), now);
  if (entered) throw conflict('the giveaway has ended');
  deps.openGiveaways.invalidate();
  return entryCount;
}

/** Entries of an account, newest first. */
const entriesOf = ({ entries }: GiveawaysDeps, userId: string): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]> =>
  entries.byAccountId(userId, MAX_OWN_ENTRIES);

/** Opens and draws due giveaways. Throws after all were tried when some failed. */
async function processDue(deps: GiveawaysContext, now: UnixSeconds): Promise<void> {
  const due = await deps.giveaways.due(now, MAX_GIVEAWAYS_PER_RUN);
  if (due.length === 0) return;
  const advanceEach = () =>
    runEach(due, async (giveaway) => {
      try {
        await advance(deps, giveaway, now);
      } catch (error) {
        logError('giveaway could not be opened or drawn', error, { giveaway_id: giveaway.id });
        // Giveaways that fail every time must not keep the others out of the limited number of a run.
        await deps.giveaways.markFailed(giveaway.id, now);
        throw error;
      }
    });
  // The change of those that succeeded is reported although others failed.
  const reportChange = () => {
    deps.openGiveaways.invalidate();
    return deps.onChange(now);
  };
  await runEach([advanceEach, reportChange], (step) => step());
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
