import { env } from 'cloudflare:workers';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { createProjectsStore } from '../../src/areas/mods-catalog/publishing/projects.store.ts';
import { createModWrites, idOf } from '../../src/areas/mods-catalog/records/mod-writes.store.ts';
import type { Role } from '../../src/areas/mods-catalog/records/publishing.data.ts';
import { projectAccess } from '../../src/areas/mods-catalog/records/publishing.tables.ts';
import { createProjectKeys } from '../../src/platform/access/project-keys/project-keys.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FIRST_INSTANT, nextInstant } from './requests.ts';
import { insertAccount, TOKEN_FORMAT } from './tokens.ts';

let projects = 0;

const db = createDatabase(env.DB);

const insertApproval = (userId: string) =>
  db.insert(projectAccess).values({ userId, state: 'approved', note: '', createdAt: FIRST_INSTANT }).onConflictDoNothing();

/** Lets an account publish, as a superuser does with the default of `publishing_access`. */
export async function approvePublishing(userId: string): Promise<void> {
  await insertApproval(userId);
}

/** Creates a private project with its owner, unless one is given. */
export async function createProject(options: { userId?: string; role?: Role; visibility?: 'public' | 'private' } = {}) {
  const store = createProjectsStore(db);
  projects += 1;
  const userId = options.userId ?? crypto.randomUUID();
  const address = { handle: `author-${projects}-${crypto.randomUUID().slice(0, 8)}`, slug: `wings-${projects}` };
  const isSaved = await createModWrites(db).save({
    address,
    details: { ...blankDetails('Tiny Wings', 'Ana'), tags: ['Wings'], visibility: options.visibility ?? 'private' },
    before: null,
    isApproved: true,
    createdAt: FIRST_INSTANT,
    updatedAt: FIRST_INSTANT,
    release: null,
    announcement: null,
    extra: [
      ...(options.userId === undefined ? [insertAccount(userId)] : []),
      insertApproval(userId),
      store.handleStatement(address.handle, userId, FIRST_INSTANT, { exceptSlug: address.slug }),
      store.accountStatement(idOf(address), userId),
      store.memberStatement(idOf(address), { userId, handle: address.handle, role: 'owner' }, FIRST_INSTANT),
    ],
  });
  if (!isSaved) throw new Error('the project was not stored');
  const row = await env.DB.prepare('SELECT id FROM mods WHERE handle = ?1').bind(address.handle).first<{ id: number }>();
  if (!row) throw new Error('the stored project was not found');
  return { ...address, id: row.id, userId, path: `/v1/publishing/${address.handle}/${address.slug}` };
}

export interface ProjectKeyOptions {
  /** Default: a new project. */
  project?: { id: number; userId: string };
  allowedIps?: string[];
  /** Default: 90 days after the next request of the case. */
  expiresAt?: number;
}

/** Stores a project key and returns its secret. */
export async function createProjectKey({ project, allowedIps = [], expiresAt = nextInstant() + 90 * 86_400 }: ProjectKeyOptions = {}) {
  const { id: projectId, userId } = project ?? (await createProject());
  const keys = createProjectKeys(db, TOKEN_FORMAT);
  const { secret, row } = keys.mint({ projectId, userId, name: 'pipeline', allowedIps, expiresAt, now: FIRST_INSTANT });
  await keys.insertion({ ...row }, 0);
  return { secret, userId, projectId, id: row.id };
}
