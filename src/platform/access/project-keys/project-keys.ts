import { randomBytes } from 'node:crypto';
import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { createTokenReader, type PresentedToken, type TokenReader } from '../policy/credentials.ts';
import { createAllowlist, hasSecret, isOnAllowlist } from '../tokens/token-decision.ts';
import { createTokenId, mintSecret, type TokenFormat } from '../tokens/token-format.ts';
import { type ProjectKeyRow, projectKeys, users } from '../tokens.tables.ts';

/** A client with a project key. It acts in the name of the member who created the key. */
export interface ProjectKeyCaller {
  kind: 'project-key';
  keyId: string;
  keyName: string;
  projectId: number;
  userId: string;
}

/** A key that was found in public, and the address of its member. */
export interface ExposedKey {
  name: string;
  prefix: string;
  email: string;
}

/** Maximum number of live keys of a project. */
export const MAX_PROJECT_KEYS = 10;
const SALT_BYTES = 16;
/** The last use is stored with this precision, so that a pipeline writes one row a minute. */
const LAST_USE_SECONDS = SECONDS_PER_MINUTE;
const ENDED_TTL_SECONDS = 90 * SECONDS_PER_DAY;

export interface ProjectKeyInput {
  projectId: number;
  userId: string;
  name: string;
  allowedIps: readonly string[];
  expiresAt: UnixSeconds;
  now: UnixSeconds;
}

/** Keys that publish releases of one mod project. They have the format of API tokens, so that scanners of public code find them. */
export interface ProjectKeys {
  /** Reads a key without storage; an API token is `forged`. */
  read: TokenReader;
  /** The client of a key. `ended`: expired, revoked, or of an inactive account. */
  find(
    key: PresentedToken,
    callerAddress: string | null,
    now: UnixSeconds,
  ): Promise<ProjectKeyCaller | 'unknown' | 'ended' | 'not-allowed'>;
  /** A key with its secret, which is shown once; not stored. Throws `RangeError` for an invalid allowlist entry. */
  mint(input: ProjectKeyInput): { secret: string; row: ProjectKeyRow };
  /** The statement that stores a key; no row when the project has the maximum of live keys. */
  insertion(row: ProjectKeyRow, now: UnixSeconds): ReturnType<typeof insertion>;
  /** The statement that ends live keys: of a project, of one of its members, or one key. */
  ending(which: { projectId: number; userId?: string; id?: string }, reason: string, now: UnixSeconds): ReturnType<typeof ending>;
  /**
   * Ends an exposed key and runs the statement that `mailOf` returns in the same transaction. False when no key has this secret; a key that
   * has ended already is not ended again.
   */
  endExposed(key: PresentedToken, reason: string, now: UnixSeconds, mailOf: (key: ExposedKey) => BatchItem<'sqlite'>): Promise<boolean>;
  byProject(projectId: number): Promise<ProjectKeyRow[]>;
  byAccount(userId: string): Promise<ProjectKeyRow[]>;
  /** Deletes the keys of an account. */
  deleteAccountData(userId: string): Promise<void>;
  /** Deletes keys that ended 90 days ago. */
  deleteExpired(now: UnixSeconds): Promise<void>;
}

const isLive = (now: UnixSeconds): SQL => sql`${projectKeys.endedAt} is null and ${projectKeys.expiresAt} >= ${now}`;

function insertion(db: Database, row: ProjectKeyRow, now: UnixSeconds) {
  const values = Object.entries(row).map(([name, value]) => (name === 'allowlist' ? JSON.stringify(value) : value));
  const live = sql`(select count(*) from ${projectKeys} where ${projectKeys.projectId} = ${row.projectId} and ${isLive(now)})`;
  const columns = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
  return db.insert(projectKeys).select(sql`select ${columns} where ${live} < ${MAX_PROJECT_KEYS}`).returning({ id: projectKeys.id });
}

function ending(db: Database, which: { projectId: number; userId?: string; id?: string }, reason: string, now: UnixSeconds) {
  const { projectId, userId, id } = which;
  return db
    .update(projectKeys)
    .set({ endedAt: now, endReason: reason })
    .where(
      and(
        eq(projectKeys.projectId, projectId),
        userId === undefined ? undefined : eq(projectKeys.userId, userId),
        id === undefined ? undefined : eq(projectKeys.id, id),
        isNull(projectKeys.endedAt),
      ),
    )
    .returning({ id: projectKeys.id });
}

export function createProjectKeys(db: Database, tokenFormat: TokenFormat): ProjectKeys {
  // Checks are always verified: a key that was lost ends all project keys, which costs their owners a minute.
  const format: TokenFormat = { ...tokenFormat, kind: 'project-key', verifiesCheck: true };

  async function noteUse(id: string, now: UnixSeconds): Promise<void> {
    const isStale = or(isNull(projectKeys.lastUsedAt), lt(projectKeys.lastUsedAt, now - LAST_USE_SECONDS));
    await db
      .update(projectKeys)
      .set({ lastUsedAt: now })
      .where(and(eq(projectKeys.id, id), isStale));
  }

  return {
    read: createTokenReader(format),

    async find({ id, hash }, callerAddress, now) {
      const [row] = await db
        .select({ key: projectKeys, isActive: users.isActive })
        .from(projectKeys)
        .leftJoin(users, eq(users.id, projectKeys.userId))
        .where(eq(projectKeys.id, id));
      if (!row || !hasSecret({ hashedToken: row.key.hashedToken, previousHash: null, previousUntil: null }, hash, now)) return 'unknown';
      const { key, isActive } = row;
      if (key.endedAt !== null || now > key.expiresAt || !isActive) return 'ended';
      if (!isOnAllowlist(key.allowlist, key.ipSalt, callerAddress)) return 'not-allowed';
      if (key.lastUsedAt === null || key.lastUsedAt < now - LAST_USE_SECONDS) await noteUse(id, now);
      return { kind: 'project-key', keyId: id, keyName: key.name, projectId: key.projectId, userId: key.userId };
    },

    mint({ projectId, userId, name, allowedIps, expiresAt, now }) {
      const id = createTokenId(randomBytes);
      const { secret, hashedToken, prefix } = mintSecret(id, format);
      const ipSalt = randomBytes(SALT_BYTES).toString('base64url');
      const allowlist = createAllowlist(allowedIps, ipSalt);
      return {
        secret,
        row: {
          id,
          projectId,
          userId,
          name,
          prefix,
          hashedToken,
          ipSalt,
          allowlist,
          createdAt: now,
          expiresAt,
          lastUsedAt: null,
          endedAt: null,
          endReason: null,
        },
      };
    },

    insertion: (row, now) => insertion(db, row, now),
    ending: (which, reason, now) => ending(db, which, reason, now),

    async endExposed({ id, hash }, reason, now, mailOf) {
      const [row] = await db
        .select({ key: projectKeys, email: users.email })
        .from(projectKeys)
        .innerJoin(users, eq(users.id, projectKeys.userId))
        .where(and(eq(projectKeys.id, id), eq(projectKeys.hashedToken, hash)));
      if (!row) return false;
      const { key, email } = row;
      if (key.endedAt === null) {
        await db.batch([ending(db, { projectId: key.projectId, id }, reason, now), mailOf({ name: key.name, prefix: key.prefix, email })]);
      }
      return true;
    },

    byProject: (projectId) => db.select().from(projectKeys).where(eq(projectKeys.projectId, projectId)).orderBy(projectKeys.createdAt),
    byAccount: (userId) => db.select().from(projectKeys).where(eq(projectKeys.userId, userId)).orderBy(projectKeys.createdAt),

    async deleteAccountData(userId) {
      await db.delete(projectKeys).where(eq(projectKeys.userId, userId));
    },

    async deleteExpired(now) {
      const endedBefore = now - ENDED_TTL_SECONDS;
      await db.delete(projectKeys).where(or(lt(projectKeys.endedAt, endedBefore), lt(projectKeys.expiresAt, endedBefore)));
    },
  };
}
