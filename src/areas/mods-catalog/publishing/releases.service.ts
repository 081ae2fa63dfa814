import { ArtifactFault, type ArtifactInspector, type ArtifactStamper } from '../../../game/artifact.ts';
import { imageTypeOf } from '../../../platform/http/bodies/image-type.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { contentHashOf, fieldError, inspectFile } from '../insert/uploads.service.ts';
import { MAX_IMAGE_BYTES, MAX_RELEASES } from '../records/catalog.data.ts';
import { FILE_REFUSALS, type FileHashes } from '../records/file-claims.store.ts';
import { categoriesOf, filenameOf, type ModImage } from '../records/mod.domain.ts';
import { type ModWrites, type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import type { ProjectContents } from '../records/project-contents.store.ts';
import type { PublishingAccess } from './access.service.ts';
import type { Allowances, Amounts } from './allowances.service.ts';
import { type DraftFiles, filesOf } from './draft-files.store.ts';
import type { Access, Context } from './projects.service.ts';
import type { ProjectsStore } from './projects.store.ts';
import { nameOf, type Publication } from './publication.service.ts';
import { isZip, scheduleProblem, stateOf, zipName } from './publishing.domain.ts';
import { createReleaseStatements, type ProjectRelease } from './releases.store.ts';

const CHANGED = 'the release was changed concurrently; repeat the request';
/** Names of texts in the audit trail, where they differ. */
const EDIT_NAMES: Readonly<Record<string, string>> = { isSilent: 'silent', changelog: 'notes' };

interface ReleasesServiceDeps {
  db: Database;
  projects: ProjectsStore;
  drafts: DraftFiles;
  writes: Pick<ModWrites, 'findRefusal' | 'findRelease' | 'countReleases'>;
  contents: Pick<ProjectContents, 'put' | 'dropStatement'>;
  inspect: ArtifactInspector;
  stamp: ArtifactStamper;
  publication: Publication;
  allowances: Pick<Allowances, 'chargeProject' | 'chargeUpload'>;
  access: Pick<PublishingAccess, 'admit'>;
  reindex(modId: number): Promise<void>;
  newId(): string;
}

interface ReleasesContext extends ReleasesServiceDeps {
  statements: ReturnType<typeof createReleaseStatements>;
}

/** An upload with its texts. */
export interface Upload {
  bytes: Uint8Array<ArrayBuffer>;
  filename: string;
  image: Uint8Array<ArrayBuffer> | null;
  tag: string;
  branch: string;
  title: string;
  changelog: string;
  isSilent: boolean;
}

/** Texts of a draft to change; absent ones stay. */
interface DraftEdit {
  tag?: string | undefined;
  branch?: string | undefined;
  title?: string | undefined;
  changelog?: string | undefined;
  isSilent?: boolean | undefined;
}

export type ReleasesService = ReturnType<typeof createReleasesService>;

/** Releases of a project in all states. */
export function createReleasesService(deps: ReleasesServiceDeps) {
  const context: ReleasesContext = { ...deps, statements: createReleaseStatements(deps.db) };
  return bind(context, { list, find, storeImage, upload, edit, setImage, publish, withdraw, deleteDraft });
}

const audit = ({ projects }: ReleasesContext, { mod, actor }: Access, now: UnixSeconds, action: string, detail: string) =>
  projects.auditStatements({ projectId: mod.id, at: now, actor, action, detail });

/** The audit entry of a change, before its statements: the batch fails when the release is no longer as it was read. */
const auditUnchanged = (
  { projects }: ReleasesContext,
  { mod, actor }: Access,
  release: ProjectRelease,
  now: UnixSeconds,
  action: string,
  detail: string,
) => projects.auditStatements({ projectId: mod.id, at: now, actor, action, detail, onlyIf: projects.isUnchanged(release) });

/** Of the member who publishes. */
const admit = ({ access }: ReleasesContext, { mod, member }: Access) => access.admit(member.userId, mod.id);

async function save({ db }: ReleasesContext, first: Statement, ...more: Statement[]): Promise<void> {
  if (!(await saveUnlessChanged(db, [first, ...more]))) throw new ApiError('conflict', CHANGED);
}

/** A release of the project; 404 for another project's. */
async function find({ projects }: ReleasesContext, { mod }: Access, id: string): Promise<ProjectRelease> {
  const release = await projects.findRelease(id);
  if (!release || release.modId !== mod.id) throw notFound('release not found');
  return release;
}

/** The file as stored: checked like an insert, and a `.tmod` with the stamped header. */
async function prepareFile(
  deps: ReleasesContext,
  { mod }: Access,
  { bytes, filename, tag, changelog }: Pick<Upload, 'bytes' | 'filename' | 'tag' | 'changelog'>,
) {
  if (isZip(bytes, filename)) {
    await inspectFile(bytes, 'zip', deps.inspect, ['file']);
    return { file: bytes, format: 'zip' as const, filename: zipName(mod.slug, tag), contentSha256: null };
  }
  const contentSha256 = await contentHashOf(bytes, await inspectFile(bytes, 'tmod', deps.inspect, ['file']));
  const stamp = {
    title: mod.title,
    author: mod.author,
    modVersion: tag,
    notes: changelog,
    tags: mod.tags.join(','),
    flags: String(categoriesOf(mod.tags).flags),
  };
  try {
    const file = deps.stamp(bytes, stamp);
    const filename = filenameOf({ slug: mod.slug, format: 'tmod', headerTitle: mod.title });
    return { file, format: 'tmod' as const, filename, contentSha256 };
  } catch (error) {
    if (error instanceof ArtifactFault) throw fieldError(['file'], error.message);
    throw error;
  }
}

/** The file of a draft with the header of its new texts, stored beside the old one. */
async function stampAgain(
  deps: ReleasesContext,
  access: Access,
  release: ProjectRelease,
  texts: { tag: string; changelog: string },
  now: UnixSeconds,
) {
  const { id, sha256, size } = release;
  if (release.format === 'zip') return { sha256, size, filename: zipName(access.mod.slug, texts.tag) };
  await chargeUpload(deps, access, now);
  const bytes = await deps.drafts.bytes({ releaseId: id, sha256 });
  if (!bytes) throw new ApiError('conflict', 'the file of the draft is lost', { hint: 'delete the draft and upload it again' });
  const { file, filename } = await prepareFile(deps, access, {
    bytes,
    filename: release.filename,
    tag: texts.tag,
    changelog: texts.changelog,
  });
  const stampedHash = await sha256Of(file);
  await requireOwnFile(deps, access, { sha256: stampedHash, contentSha256: release.contentSha256 });
  if (stampedHash !== sha256) await storeDraftFile(deps, id, file, now);
  return { sha256: stampedHash, size: file.length, filename };
}

async function requireRoom({ writes }: ReleasesContext, { mod }: Access): Promise<void> {
  if ((await writes.countReleases(mod.id)) < MAX_RELEASES) return;
  throw new ApiError('conflict', `the project has the maximum of ${MAX_RELEASES} releases`);
}

async function requireOwnFile({ writes }: ReleasesContext, { mod }: Access, file: FileHashes): Promise<void> {
  const refusal = await writes.findRefusal(file, mod.handle);
  if (refusal !== null) throw new ApiError('conflict', FILE_REFUSALS[refusal]);
}

async function checkImage(bytes: Uint8Array<ArrayBuffer>, field: string): Promise<ModImage> {
  const contentType = imageTypeOf(bytes);
  if (contentType === null) throw fieldError([field], 'must be a PNG, JPEG, WebP or GIF image');
  if (bytes.length > MAX_IMAGE_BYTES) throw fieldError([field], `must have at most ${MAX_IMAGE_BYTES} bytes`);
  return { sha256: await sha256Of(bytes), contentType, size: bytes.length };
}

/** Stores an image of the project, which is public with it. */
async function storeImage(
  deps: ReleasesContext,
  access: Access,
  bytes: Uint8Array<ArrayBuffer>,
  field: string,
  now: UnixSeconds,
): Promise<ModImage> {
  await admit(deps, access);
  await chargeUpload(deps, access, now);
  const image = await checkImage(bytes, field);
  if (!(await deps.contents.put(bytes, now))) throw new ApiError('conflict', CHANGED);
  return image;
}

async function storeDraftFile({ drafts }: ReleasesContext, id: string, bytes: Uint8Array<ArrayBuffer>, now: UnixSeconds): Promise<void> {
  if (!(await drafts.put(id, bytes, now))) throw new ApiError('conflict', CHANGED);
}

/** Charges the account of the member: also what fails afterwards costs work. */
const chargeUpload = ({ allowances }: ReleasesContext, { member }: Access, now: UnixSeconds) => allowances.chargeUpload(member.userId, now);

/** Charges the account of the project. */
const charge = ({ allowances }: ReleasesContext, { mod }: Access, amounts: Amounts, now: UnixSeconds) =>
  allowances.chargeProject(mod.id, amounts, now);

async function findDraft(deps: ReleasesContext, access: Access, id: string): Promise<ProjectRelease> {
  const release = await find(deps, access, id);
  if (stateOf(release) === 'draft') return release;
  const hint = stateOf(release) === 'scheduled' ? 'withdraw it first; it becomes a draft' : 'upload another release';
  throw new ApiError('conflict', 'only a draft can be changed', { hint });
}

async function requireFreeTag(
  { writes }: ReleasesContext,
  { mod }: Access,
  { id, tag, branch }: { id: string | null; tag: string; branch: string },
) {
  const existing = await writes.findRelease(mod.id, branch, tag);
  if (!existing || existing.id === id) return;
  throw new ApiError('conflict', `the project already has a release ${tag} on branch ${branch}`, {
    hint: 'use another tag, or delete the draft',
  });
}

const list = ({ projects }: ReleasesContext, { mod }: Access): Promise<ProjectRelease[]> => projects.listReleases(mod.id);

/** Stores a draft. The file is stored before its row: a file without a row is harmless. */
async function upload(deps: ReleasesContext, access: Access, upload: Upload, now: UnixSeconds): Promise<ProjectRelease> {
  const { mod } = access;
  const admission = await admit(deps, access);
  await chargeUpload(deps, access, now);
  const { file, format, filename, contentSha256 } = await prepareFile(deps, access, upload);
  const sha256 = await sha256Of(file);
  await requireOwnFile(deps, access, { sha256, contentSha256 });
  const { tag, branch } = upload;
  const existing = await deps.writes.findRelease(mod.id, branch, tag);
  // A pipeline that repeats an upload continues with the stored release.
  if (existing?.sha256 === sha256) return find(deps, access, existing.id);
  await requireFreeTag(deps, access, { id: null, tag, branch });
  await requireRoom(deps, access);
  const id = deps.newId();
  const image = upload.image && (await checkImage(upload.image, 'image'));
  const bytes = file.length + (image?.size ?? 0) + Buffer.byteLength(upload.changelog);
  const charged = await charge(deps, access, { bytes, drafts: 1 }, now);
  if (upload.image) await storeDraftFile(deps, id, upload.image, now);
  await storeDraftFile(deps, id, file, now);
  const row = {
    id,
    modId: mod.id,
    branch,
    tag,
    isPublished: false,
    isSilent: upload.isSilent,
    publishedAt: null,
    format,
    size: file.length,
    sha256,
    contentSha256,
    filename,
    title: upload.title,
    changelog: upload.changelog,
    createdAt: now,
    image,
  };
  await save(
    deps,
    deps.statements.insertDraft(row),
    ...filesOf({ id, sha256, image }).map(deps.drafts.keepStatement),
    ...audit(deps, access, now, 'release_uploaded', `${nameOf(upload)}, ${file.length} bytes`),
    ...admission,
    ...charged,
  );
  return find(deps, access, id);
}

/** Changes the texts of a draft. A `.tmod` gets a new header, and therefore a new hash, when its tag or notes change. */
async function edit(deps: ReleasesContext, access: Access, id: string, edit: DraftEdit, now: UnixSeconds): Promise<ProjectRelease> {
  const release = await findDraft(deps, access, id);
  const admission = await admit(deps, access);
  const { tag = release.tag, branch = release.branch, title = release.title, changelog = release.changelog } = edit;
  await requireFreeTag(deps, access, { id, tag, branch });
  const isStamped = tag !== release.tag || changelog !== release.changelog;
  const stamped = isStamped ? await stampAgain(deps, access, release, { tag, changelog }, now) : null;
  const names = Object.entries({ tag, branch, title, changelog, isSilent: edit.isSilent ?? release.isSilent });
  const changed = names.flatMap(([name, value]) => (value === release[name as keyof ProjectRelease] ? [] : [EDIT_NAMES[name] ?? name]));
  if (changed.length === 0) return release;
  const sizeChange = (stamped?.size ?? release.size) - release.size;
  const textChange = Buffer.byteLength(changelog) - Buffer.byteLength(release.changelog);
  const charged = await charge(deps, access, { bytes: sizeChange + textChange }, now);
  await save(
    deps,
    ...auditUnchanged(deps, access, release, now, 'draft_changed', `${nameOf(release)}: ${changed.join(', ')}`),
    deps.statements.updateDraft(release, {
      tag,
      branch,
      title,
      changelog,
      isSilent: edit.isSilent ?? release.isSilent,
      size: stamped?.size ?? release.size,
      sha256: stamped?.sha256 ?? release.sha256,
      filename: stamped?.filename ?? release.filename,
    }),
    ...(stamped && stamped.sha256 !== release.sha256
      ? [
          deps.drafts.keepStatement({ releaseId: id, sha256: stamped.sha256 }),
          deps.drafts.removalStatement({ releaseId: id, sha256: release.sha256 }, now),
        ]
      : []),
    ...admission,
    ...charged,
  );
  return find(deps, access, id);
}

/** Replaces the preview image of a draft; null removes it. */
async function setImage(
  deps: ReleasesContext,
  access: Access,
  id: string,
  bytes: Uint8Array<ArrayBuffer> | null,
  now: UnixSeconds,
): Promise<ProjectRelease> {
  const release = await findDraft(deps, access, id);
  const admission = await admit(deps, access);
  const image = bytes && (await checkImage(bytes, 'image'));
  if (image?.sha256 === release.image?.sha256) return release;
  if (bytes) await chargeUpload(deps, access, now);
  const charged = await charge(deps, access, { bytes: (image?.size ?? 0) - (release.image?.size ?? 0) }, now);
  if (bytes) await storeDraftFile(deps, id, bytes, now);
  const before = release.image && release.image.sha256 !== release.sha256 ? [release.image] : [];
  await save(
    deps,
    ...auditUnchanged(deps, access, release, now, 'draft_changed', `${nameOf(release)}: image`),
    deps.statements.setImage(id, image),
    ...(image ? [deps.drafts.keepStatement({ releaseId: id, sha256: image.sha256 })] : []),
    ...before.map(({ sha256 }) => deps.drafts.removalStatement({ releaseId: id, sha256 }, now)),
    ...admission,
    ...charged,
  );
  return find(deps, access, id);
}

/** Publishes a draft now, or schedules it. Repeating it is harmless. */
async function publish(
  deps: ReleasesContext,
  access: Access,
  id: string,
  at: UnixSeconds | null,
  { now, baseUrl }: Context,
): Promise<ProjectRelease> {
  const release = await find(deps, access, id);
  if (release.withdrawnAt !== null) throw new ApiError('conflict', 'the release was withdrawn', { hint: 'upload it with another tag' });
  if (release.isPublished) return release;
  const admission = await admit(deps, access);
  const problem = at === null ? null : scheduleProblem(at, now);
  if (problem) throw fieldError(['at'], problem);
  if (access.mod.takenDownAt !== null) throw new ApiError('conflict', 'the mod was taken down');
  await requireOwnFile(deps, access, release);
  const publishAt = at ?? now;
  const isNewSchedule = at !== null && release.publishAt === null;
  const charged = await charge(deps, access, { scheduled: isNewSchedule ? 1 : 0 }, now);
  const action = at === null ? 'publication_requested' : 'release_scheduled';
  const detail = at === null ? nameOf(release) : `${nameOf(release)} for ${new Date(at * 1000).toISOString()}`;
  const isSaved = await saveUnlessChanged(deps.db, [
    ...auditUnchanged(deps, access, release, now, action, detail),
    deps.statements.schedule(id, publishAt),
    deps.publication.cancelStatement(id),
    deps.publication.insertion(id, publishAt, baseUrl),
    ...admission,
    ...charged,
  ]);
  if (!isSaved) {
    // A repeated request finds the release that the first one published.
    const published = await find(deps, access, id);
    if (at === null && published.isPublished) return published;
    throw new ApiError('conflict', CHANGED);
  }
  // The batch queued the publication: the job retries it when this first attempt fails.
  if (at === null) await deps.publication.run(id, publishAt, now);
  return find(deps, access, id);
}

/** Takes a published release back permanently, or cancels a scheduled publication. Repeating it is harmless. */
async function withdraw(deps: ReleasesContext, access: Access, id: string, reason: string, now: UnixSeconds): Promise<ProjectRelease> {
  const release = await find(deps, access, id);
  const { mod } = access;
  if (release.withdrawnAt !== null) return release;
  const state = stateOf(release);
  if (state === 'draft') throw new ApiError('conflict', 'a draft cannot be withdrawn', { hint: 'delete it' });
  if (state === 'scheduled') {
    await save(
      deps,
      ...auditUnchanged(deps, access, release, now, 'schedule_cancelled', `${nameOf(release)}: ${reason}`),
      deps.statements.schedule(id, null),
      deps.publication.cancelStatement(id),
    );
    return find(deps, access, id);
  }
  await save(
    deps,
    ...auditUnchanged(deps, access, release, now, 'release_withdrawn', `${nameOf(release)}: ${reason}`),
    ...deps.statements.withdraw(mod, release, reason, now),
    ...filesOf(release).map(({ sha256 }) => deps.contents.dropStatement(sha256, now)),
  );
  await deps.reindex(mod.id);
  return find(deps, access, id);
}

/** Deletes a draft with its files; its tag is free again. */
async function deleteDraft(deps: ReleasesContext, access: Access, id: string, now: UnixSeconds): Promise<void> {
  const release = await find(deps, access, id);
  if (stateOf(release) !== 'draft') {
    throw new ApiError('conflict', 'only a draft can be deleted', { hint: 'withdraw the release' });
  }
  await save(
    deps,
    ...auditUnchanged(deps, access, release, now, 'draft_deleted', nameOf(release)),
    deps.statements.delete(id),
    ...filesOf(release).map((file) => deps.drafts.removalStatement(file, now)),
  );
}
