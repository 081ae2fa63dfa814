import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { inspectArtifact, stampArtifact } from '../../../../src/areas/mods/artifacts.service.ts';
import { createCatalogStore } from '../../../../src/areas/mods-catalog/catalog/catalog.store.ts';
import { createAllowances } from '../../../../src/areas/mods-catalog/publishing/allowances.service.ts';
import { createDraftFiles } from '../../../../src/areas/mods-catalog/publishing/draft-files.store.ts';
import { createProjectsStore } from '../../../../src/areas/mods-catalog/publishing/projects.store.ts';
import { createPublication } from '../../../../src/areas/mods-catalog/publishing/publication.service.ts';
import { createReleasesService, type ReleasesService } from '../../../../src/areas/mods-catalog/publishing/releases.service.ts';
import { linksFrom } from '../../../../src/areas/mods-catalog/records/mod.domain.ts';
import { createModWrites } from '../../../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { createModFiles, createProjectContents } from '../../../../src/areas/mods-catalog/records/project-contents.store.ts';
import { createOutbox } from '../../../../src/platform/durable/outbox.ts';
import { createContentStore } from '../../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { fixedSettings } from '../../../support/declarations.ts';
import { createProject } from '../../../support/projects.ts';
import { freshInstant } from '../../../support/requests.ts';
import { clearCatalog, testImage } from '../catalog.ts';
import { newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

/** The service on the same database; `meanwhile` runs after its next read of a release. */
function serviceWith(meanwhile: () => Promise<unknown>): ReleasesService {
  const db = createDatabase(env.DB);
  const stored = createProjectsStore(db);
  const projects = {
    ...stored,
    async findRelease(id: string) {
      const release = await stored.findRelease(id);
      await meanwhile();
      return release;
    },
  };
  const writes = createModWrites(db);
  const outbox = createOutbox(db, freshInstant);
  const store = createModFiles(env.ARCHIVE, createContentStore(env.ARCHIVE));
  const contents = createProjectContents({ db, bucket: env.ARCHIVE, outbox });
  const drafts = createDraftFiles({ db, bucket: env.ARCHIVE, store, contents, outbox });
  const publication = createPublication({
    db,
    outbox,
    projects: stored,
    drafts,
    writes,
    announcements: { deliver: async () => true },
    access: { problemOf: async () => null },
    allowances: { chargeIfRoom: async () => [] },
    linksFor: (baseUrl) => linksFrom({ baseUrl, portalUrl: baseUrl }),
    reindex: async () => {},
  });
  return createReleasesService({
    db,
    projects,
    drafts,
    writes,
    contents,
    inspect: inspectArtifact,
    stamp: stampArtifact,
    publication,
    allowances: createAllowances({ db, settings: fixedSettings() }),
    access: { admit: async () => [] },
    reindex: async () => {},
    newId: () => crypto.randomUUID(),
  });
}

async function draftOf(fields: Record<string, string> = {}) {
  const author = await newAuthor();
  const project = await createProject({ userId: author.userId, visibility: 'public' });
  const draft = await upload(`${project.path}/releases`, author, { tag: '1', ...fields });
  const mod = await createCatalogStore(createDatabase(env.DB)).find(project);
  if (!mod) throw new Error('the project was not found');
  const member = { projectId: mod.id, userId: author.userId, handle: project.handle, role: 'owner' as const, createdAt: 0 };
  const now = freshInstant();
  return {
    id: String(draft.json.id),
    path: `${project.path}/releases/${draft.json.id}`,
    project,
    author,
    now,
    access: { mod, member, actor: project.handle },
  };
}

const CHANGED = { code: 'conflict', message: 'the release was changed concurrently; repeat the request' };

describe('a change of a release that another change overtakes', () => {
  for (const [title, begin, overtake, change, actions] of [
    [
      'does not delete a draft that was published, and writes no audit entry',
      {},
      'publish',
      (service: ReleasesService, { access, id, now }: Awaited<ReturnType<typeof draftOf>>) => service.deleteDraft(access, id, now),
      ['release_published', 'publication_requested', 'release_uploaded'],
    ],
    [
      'does not cancel a schedule that was withdrawn to a draft, and writes no second audit entry',
      { schedule: true },
      'withdraw',
      (service: ReleasesService, { access, id, now }: Awaited<ReturnType<typeof draftOf>>) => service.withdraw(access, id, 'No', now),
      ['schedule_cancelled', 'release_scheduled', 'release_uploaded'],
    ],
    [
      'does not withdraw twice',
      { publish: true },
      'withdraw',
      (service: ReleasesService, { access, id, now }: Awaited<ReturnType<typeof draftOf>>) => service.withdraw(access, id, 'No', now),
      ['release_withdrawn', 'release_published', 'publication_requested', 'release_uploaded'],
    ],
    [
      'does not schedule a release that was published',
      {},
      'publish',
      (service: ReleasesService, { access, id, now }: Awaited<ReturnType<typeof draftOf>>) =>
        service.publish(access, id, now + 3600, { now, baseUrl: 'https://api.test' }),
      ['release_published', 'publication_requested', 'release_uploaded'],
    ],
  ] as const) {
    it(title, async () => {
      const draft = await draftOf('publish' in begin ? { publish: 'true' } : {});
      const { path, author, now } = draft;
      if ('schedule' in begin) await send('POST', `${path}/publish`, author, { at: new Date((now + 3600) * 1000).toISOString() }, { now });
      let isOvertaken = false;
      const service = serviceWith(async () => {
        if (isOvertaken) return;
        isOvertaken = true;
        const response = await send('POST', `${path}/${overtake}`, author, overtake === 'withdraw' ? { reason: 'First' } : {}, { now });
        expect(response.status, response.text).toBe(200);
      });
      await expect(change(service, draft)).rejects.toMatchObject(CHANGED);
      const { json } = await send('GET', `${draft.project.path}/audit`, author);
      expect((json.items as { action: string }[]).map(({ action }) => action)).toEqual(actions);
    });
  }
});

describe('two changes of a draft at once', () => {
  it('leave no file of the image that lost', async () => {
    const { id, access, now } = await draftOf();
    await env.DB.prepare("DELETE FROM outbox WHERE kind = 'mod-draft-file'").run();
    const other = serviceWith(async () => {}).setImage;
    let isFirst = true;
    const service = serviceWith(async () => {
      if (!isFirst) return;
      isFirst = false;
      await other(access, id, testImage(60), now);
    });
    await expect(service.setImage(access, id, testImage(61), now)).rejects.toMatchObject(CHANGED);
    const db = createDatabase(env.DB);
    const outbox = createOutbox(db, () => now + 7200);
    const contents = createProjectContents({ db, bucket: env.ARCHIVE, outbox });
    const drafts = createDraftFiles({ db, bucket: env.ARCHIVE, store: createContentStore(env.ARCHIVE), contents, outbox });
    await drafts.drain({ now: now + 7200 });
    const { objects } = await env.ARCHIVE.list({ prefix: `drafts/${id}/` });
    const release = await createProjectsStore(createDatabase(env.DB)).findRelease(id);
    expect(objects.map(({ key }) => key).sort()).toEqual(
      [release?.sha256, release?.image?.sha256].map((hash) => `drafts/${id}/${hash}`).sort(),
    );
  });

  it('keep the silence of a release that was set meanwhile', async () => {
    const { id, access, now } = await draftOf();
    let isFirst = true;
    const service = serviceWith(async () => {
      if (!isFirst) return;
      isFirst = false;
      await serviceWith(async () => {}).edit(access, id, { isSilent: true }, now);
    });
    await expect(service.edit(access, id, { title: 'Another' }, now)).rejects.toMatchObject(CHANGED);
    expect((await createProjectsStore(createDatabase(env.DB)).findRelease(id))?.isSilent).toBe(true);
  });
});
