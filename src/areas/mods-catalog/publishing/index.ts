import type { ArtifactInspector, ArtifactStamper } from '../../../game/artifact.ts';
import type { ProjectKeys } from '../../../platform/access/project-keys/project-keys.ts';
import type { AccountData } from '../../../platform/area/area.ts';
import type { Outbox } from '../../../platform/durable/outbox.ts';
import type { Job } from '../../../platform/durable/schedule/job.ts';
import { lazyRoutes } from '../../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, toIso } from '../../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { Mailer } from '../../../platform/upstream/mail/mailer.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { modSearchKey } from '../catalog/search-documents.store.ts';
import type { CommunityCatalog } from '../mirror/mirror.upstream.ts';
import type { LinksFor } from '../records/mod.domain.ts';
import type { Announcements, ModWrites } from '../records/mod-writes.store.ts';
import { createProjectContents } from '../records/project-contents.store.ts';
import { createPublishingAccess } from './access.service.ts';
import { createAllowances } from './allowances.service.ts';
import { createClaimsService } from './claims.service.ts';
import { createDraftFiles } from './draft-files.store.ts';
import { createMembersService } from './members.service.ts';
import { createProjectsService } from './projects.service.ts';
import { createProjectsStore } from './projects.store.ts';
import { createPublication } from './publication.service.ts';
import { createReleasesService } from './releases.service.ts';

const JOB_TIMEOUT_SECONDS = 60;

interface PublishingDeps {
  db: Database;
  catalog: CatalogStore;
  writes: ModWrites;
  store: ContentStore;
  bucket: R2Bucket;
  inspect: ArtifactInspector;
  stamp: ArtifactStamper;
  outbox: Outbox;
  announcements: Announcements;
  mailer: Mailer;
  settings: SettingsSource;
  projectKeys: ProjectKeys;
  community: Pick<CommunityCatalog, 'list'> | null;
  superusers(): Promise<readonly { email: string }[]>;
  appName: string;
  /** URL of the portal; empty: the URL of the API. */
  portalUrl: string;
  linksFor: LinksFor;
  newId(): string;
  onChanged(key: string): Promise<void>;
}

/** Projects of authors: members, keys, claims and releases. */
export function createPublishing(deps: PublishingDeps) {
  const { db, writes, projectKeys: keys, linksFor } = deps;
  const projects = createProjectsStore(db);
  const reindex = (modId: number) => deps.onChanged(modSearchKey(modId));
  const allowances = createAllowances(deps);
  const access = createPublishingAccess(deps);
  const contents = createProjectContents(deps);
  const drafts = createDraftFiles({ ...deps, contents });
  const publication = createPublication({ ...deps, access, allowances, projects, drafts, reindex });
  const service = createProjectsService({ ...deps, access, projects, drafts, contents, keys, allowances, publication });
  const members = createMembersService({ ...deps, access, projects, keys, allowances });
  const claims = createClaimsService({ ...deps, access, projects, service, reindex });
  const releases = createReleasesService({ ...deps, access, projects, drafts, contents, allowances, writes, publication, reindex });
  const jobs: Job[] = [
    {
      name: 'mods-publish',
      schedule: {
        everySeconds: SECONDS_PER_MINUTE,
        text: 'every 60 s, for releases whose time has come and files that are no longer used',
      },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      async run(context) {
        await publication.drain(context);
        await drafts.drain(context);
        await contents.drain(context);
      },
    },
    {
      name: 'mod-projects-expiry',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      async run({ now }) {
        await projects.deleteExpiredClaims(now);
        await projects.deleteExpiredInvitations(now);
        await keys.deleteExpired(now);
        await allowances.deleteExpired(now);
      },
    },
  ];
  const accountData: AccountData = {
    async delete(userId) {
      await projects.deleteAccountData(userId);
      await allowances.deleteAccountData(userId);
      await access.deleteAccountData(userId);
    },
    async export(userId) {
      const [stored, asked] = await Promise.all([projects.exportAccountData(userId), access.export(userId)]);
      return {
        mod_publishing_request: asked && { state: asked.state, note: asked.note, reason: asked.reason, created_at: toIso(asked.createdAt) },
        mod_handles: stored.handles.map(({ handle, createdAt }) => ({ handle, created_at: toIso(createdAt) })),
        mod_projects: stored.members.map(({ handle, slug, role, since }) => ({ handle, slug, role, since: toIso(since) })),
        mod_invitations: stored.invitations.map(({ handle, slug, role, createdAt }) => ({
          handle,
          slug,
          role,
          created_at: toIso(createdAt),
        })),
        mod_claims: stored.claims.map(({ handle, note, state, reason, createdAt }) => ({
          handle,
          note,
          state,
          reason,
          created_at: toIso(createdAt),
        })),
        mod_project_keys: stored.keys.map(({ id, name, prefix, createdAt, expiresAt }) => ({
          id,
          name,
          prefix,
          created_at: toIso(createdAt),
          expires_at: toIso(expiresAt),
        })),
      };
    },
  };
  return {
    endpoints: [
      lazyRoutes(['/v1/publishing', '/projects', '/mod-claims', '/mod-invitations', '/publishing-access', '/admin'], async () => {
        const [{ createAccessEndpoints }, { createMemberEndpoints }, { createProjectEndpoints }, { createPublishingEndpoints }] =
          await Promise.all([
            import('./access.routes.ts'),
            import('./members.routes.ts'),
            import('./projects.routes.ts'),
            import('./releases.routes.ts'),
          ]);
        return [
          ...createPublishingEndpoints({ projects: service, releases, allowances, linksFor }),
          ...createAccessEndpoints(access),
          ...createMemberEndpoints({ projects: service, members }),
          ...createProjectEndpoints({ projects: service, claims, allowances, linksFor }),
        ];
      }),
    ],
    jobs,
    accountData,
    noticeToMembers: claims.noticeToMembers,
  };
}
