import { and, asc, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { users } from '../../access/tokens.tables.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { mailOutbox } from './mail.tables.ts';
import { MAX_CAUSED_A_DAY, MAX_HELD_PER_SUBJECT, type MailCap, type MailKind, RECIPIENT_CAPS } from './mail-caps.data.ts';

export type MailRow = typeof mailOutbox.$inferSelect;

export interface NewMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  createdAt: UnixSeconds;
  kind: MailKind;
  /** Account that caused the mail to an address other than its own. */
  causedBy: string | null;
}

/** A held notice, to be merged. */
export type HeldNotice = Pick<MailRow, 'id' | 'subject' | 'text' | 'createdAt' | 'repeats'>;

/** Result of a mail. `kept`: stored in the mailbox instead of sent. `isRefused`: the provider rejected the address. */
export type MailOutcome = { state: 'sent' | 'kept'; tries: number } | { state: 'failed'; tries: number; error: string; isRefused: boolean };

/** Queued mail. */
export interface MailStore {
  /**
   * The statement that queues a mail unless it is queued already, for the batch that stores the related record. It counts and inserts
   * atomically, so the caps apply across isolates: over them a notice is held, and a mail with a link is dropped. It returns the
   * state of the stored mail. A mail whose `onlyIf` is false is always dropped.
   */
  insertion(mail: NewMail, onlyIf?: SQL): ReturnType<typeof insertionOf>;
  /** Recipients of held notices whose caps have room for a merged mail. */
  listMergeableRecipients(now: UnixSeconds, limit: number): Promise<string[]>;
  /** Held notices of a recipient, oldest first. */
  listHeld(recipient: string, limit: number): Promise<HeldNotice[]>;
  /** Queues one mail that replaces held notices. No effect when the caps have no room or the notices changed meanwhile. */
  merge(mail: NewMail, notices: readonly HeldNotice[]): Promise<void>;
  find(id: string): Promise<MailRow | null>;
  /** The statements that store the result of a mail. */
  endStatements(id: string, outcome: MailOutcome, now: UnixSeconds): BatchItem<'sqlite'>[];
  /** The latest mails, newest first. */
  listLatest(limit: number): Promise<MailRow[]>;
  deleteExpired(before: UnixSeconds): Promise<void>;
}

export function createMailStore(db: Database): MailStore {
  return {
    insertion: (mail, onlyIf = sql`1`) => insertionOf(db, mail, onlyIf),

    async listMergeableRecipients(now, limit) {
      const hasRoom = roomFor('merged', sql.raw('owner.recipient'), now);
      const rows = await db.all<{ recipient: string }>(sql`
        select owner.recipient from (select distinct ${mailOutbox.recipient} as recipient from ${mailOutbox} where state = 'held') as owner
        where ${hasRoom} limit ${limit}`);
      return rows.map(({ recipient }) => recipient);
    },

    listHeld: (recipient, limit) =>
      db
        .select()
        .from(mailOutbox)
        .where(and(eq(mailOutbox.recipient, recipient), sql`state = 'held'`))
        .orderBy(asc(mailOutbox.createdAt), asc(sql`rowid`))
        .limit(limit),

    async merge(mail, notices) {
      const ids = sql`(select value from json_each(${JSON.stringify(notices.map(({ id }) => id))}))`;
      const expected = notices.reduce((sum, { repeats }) => sum + 1 + repeats, 0);
      const isUnchanged = sql`(
        select total(1 + ${mailOutbox.repeats}) from ${mailOutbox} where ${mailOutbox.id} in ${ids} and state = 'held'
      ) = ${expected}`;
      const isMerged = sql`exists (select 1 from ${mailOutbox} where ${mailOutbox.id} = ${mail.id})`;
      await db.batch([
        insertionOf(db, mail, isUnchanged),
        db.delete(mailOutbox).where(and(sql`${mailOutbox.id} in ${ids}`, sql`state = 'held'`, isMerged)),
      ]);
    },

    async find(id) {
      const [row] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, id));
      return row ?? null;
    },

    endStatements(id, { state, tries, ...failure }, now) {
      const update = db
        .update(mailOutbox)
        .set({ state, tries, lastError: 'error' in failure ? failure.error : null, ...(state === 'kept' ? {} : { text: null }) })
        .where(eq(mailOutbox.id, id));
      if (state === 'kept') return [update];
      const isRefused = 'isRefused' in failure && failure.isRefused;
      const recipient = sql`(select ${mailOutbox.recipient} from ${mailOutbox} where ${mailOutbox.id} = ${id})`;
      const mark = db
        .update(users)
        .set({ mailRefusedAt: isRefused ? now : null })
        .where(and(sql`${users.email} = ${recipient}`, isRefused ? sql`true` : sql`${users.mailRefusedAt} is not null`));
      return [update, mark];
    },

    listLatest: (limit) =>
      db.select().from(mailOutbox).where(sql`state <> 'held'`).orderBy(desc(mailOutbox.createdAt), desc(sql`rowid`)).limit(limit),

    async deleteExpired(before) {
      await db.delete(mailOutbox).where(lt(mailOutbox.createdAt, before));
    },
  };
}

/** True when fewer mails than the cap allows were queued for a recipient. */
function isBelow({ kinds, seconds, max }: MailCap, recipient: SQL, now: UnixSeconds): SQL {
  return sql`(
    select count(*) from ${mailOutbox}
    where ${mailOutbox.recipient} = ${recipient} and ${mailOutbox.kind} in ${[...kinds]} and ${mailOutbox.createdAt} > ${now - seconds}
      and state <> 'held'
  ) < ${max}`;
}

/** True when the caps of a recipient have room for a mail of a kind. */
function roomFor(kind: MailKind, recipient: SQL, now: UnixSeconds): SQL {
  const isBelowAll = (caps: readonly MailCap[]) => and(...caps.map((cap) => isBelow(cap, recipient, now)));
  return sql`(${or(...RECIPIENT_CAPS[kind].map(isBelowAll))})`;
}

/** True when an account may cause another mail to an address other than its own. */
function mayCause(userId: string, now: UnixSeconds): SQL {
  return sql`(
    select count(*) from ${mailOutbox} where ${mailOutbox.causedBy} = ${userId} and ${mailOutbox.createdAt} > ${now - SECONDS_PER_DAY}
  ) < ${MAX_CAUSED_A_DAY}`;
}

/** Kinds that are held over the caps. Other kinds are dropped. */
const HOLDABLE_KINDS: readonly MailKind[] = ['notice', 'alert'];

function insertionOf(db: Database, { id, recipient, subject, text, createdAt, kind, causedBy }: NewMail, condition: SQL) {
  const room = roomFor(kind, sql`${recipient}`, createdAt);
  const hasRoom = causedBy === null ? room : sql`(${room} and ${mayCause(causedBy, createdAt)})`;
  const sameSubject = sql`${mailOutbox.recipient} = ${recipient} and ${mailOutbox.subject} = ${subject} and state = 'held'`;
  const latestSameSubject = sql`(select ${mailOutbox.id} from ${mailOutbox} where ${sameSubject} order by ${mailOutbox.createdAt} desc limit 1)`;
  // Over MAX_HELD_PER_SUBJECT the id is that of the latest such notice: the conflict then increments its `repeats`.
  const canBeHeld = HOLDABLE_KINDS.includes(kind);
  const rowId = canBeHeld
    ? sql`iif(has_room or (select count(*) from ${mailOutbox} where ${sameSubject}) < ${MAX_HELD_PER_SUBJECT}, ${id}, ${latestSameSubject})`
    : sql`${id}`;
  return db
    .insert(mailOutbox)
    .select(
      sql`select ${rowId}, ${recipient}, ${subject}, ${text}, ${createdAt}, 0,
        iif(has_room, 'waiting', 'held'), null, ${kind}, ${causedBy}, 0
        from (select ${hasRoom} as has_room) where ${condition} and ${canBeHeld ? sql`1` : sql`has_room`}`,
    )
    .onConflictDoUpdate({ target: mailOutbox.id, set: { repeats: sql`${mailOutbox.repeats} + 1` }, setWhere: sql`excluded.id <> ${id}` })
    .returning({ state: mailOutbox.state });
}
