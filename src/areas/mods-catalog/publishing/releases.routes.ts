import type { z } from '@hono/zod-openapi';
import { notAuthenticated } from '../../../platform/access/policy/credentials.ts';
import { projectAccess } from '../../../platform/access/policy/policy.ts';
import { readBytes } from '../../../platform/http/bodies/body.ts';
import { type Form, type FormLimits, readForm } from '../../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { validate } from '../../../platform/http/pipeline/validation.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { ApiError, validationError } from '../../../platform/kit/errors/api-error.ts';
import { toGivenDetails } from '../insert/insert.schemas.ts';
import { fieldError } from '../insert/uploads.service.ts';
import { MAX_IMAGE_BYTES, MOD_LIMITS } from '../records/catalog.data.ts';
import type { LinksFor } from '../records/mod.domain.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FIELD_BYTES, MAX_UPLOAD_FORM_BYTES, UPLOAD_SECONDS } from '../records/publishing.data.ts';
import type { Allowances } from './allowances.service.ts';
import type { ProjectsService } from './projects.service.ts';
import {
  AllowancesBody,
  AuditBody,
  AuditQuery,
  DownloadsBody,
  DownloadsQuery,
  DraftParams,
  DraftPatch,
  PreviewParams,
  ProjectBody,
  ProjectParams,
  ProjectPatch,
  ProjectReleaseBody,
  ProjectReleaseParams,
  ProjectReleasesBody,
  PublishInput,
  toAllowancesBody,
  toAuditBody,
  toDownloadsBody,
  toListedProjectReleaseBody,
  toProjectBody,
  toProjectReleaseBody,
  UploadFields,
  UploadForm,
  WithdrawInput,
} from './publishing.schemas.ts';
import type { ReleasesService, Upload } from './releases.service.ts';

const FORM_LIMITS: FormLimits = {
  total: MAX_UPLOAD_FORM_BYTES,
  file: MAX_UPLOAD_BYTES,
  files: 2,
  field: MAX_UPLOAD_FIELD_BYTES,
  fields: 10,
  seconds: UPLOAD_SECONDS,
};
/** The chunks of the file, the joined file, and the stamped one. */
const UPLOAD_MEMORY_FACTOR = 3;
const IMAGE_BODY = {
  contentTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  description: 'The image: PNG, JPEG, WebP or GIF, up to 5 MiB.',
};
const PATH = '/v1/publishing/{handle}/{slug}';

const shared = { tag: 'Publishing', access: projectAccess, feature: 'featureModsHubEnabled' } as const;

interface ReleaseRouteDeps {
  projects: ProjectsService;
  releases: ReleasesService;
  allowances: Pick<Allowances, 'list'>;
  linksFor: LinksFor;
}

/** `/v1/publishing`: a project, its releases and images, for members and project keys. */
export function createPublishingEndpoints(deps: ReleaseRouteDeps): Endpoint[] {
  return [allowancesEndpoint(deps), ...projectEndpoints(deps), ...imageEndpoints(deps), ...releaseEndpoints(deps)];
}

function allowancesEndpoint({ allowances }: ReleaseRouteDeps): Endpoint {
  return defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/publishing/allowances',
    operationId: 'listPublishingAllowances',
    summary: 'List own allowances',
    description:
      'Returns what the account has used and may use: bytes of texts, files, images and drafts, uploads, new projects, drafts, scheduled releases and keys. A project key returns those of its member.',
    ok: { description: 'The allowances.', schema: AllowancesBody },
  }).handle(async ({ caller, now }) => {
    if (caller.kind !== 'session' && caller.kind !== 'project-key') throw notAuthenticated('not_signed_in');
    return json(toAllowancesBody(await allowances.list(caller.userId, now), now));
  });
}

function projectEndpoints({ projects, linksFor }: ReleaseRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: PATH,
      operationId: 'getModProject',
      summary: 'Get a project',
      description: 'Returns a mod as its members see it. Every route of a project returns 404 to everyone who is not a member.',
      params: ProjectParams,
      errors: ['not_found'],
      ok: { description: 'The project.', schema: ProjectBody },
    }).handle(async ({ caller, params, baseUrl }) => {
      const { mod, member } = await projects.authorize(caller, params);
      return json(toProjectBody(mod, member.role, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'patch',
      path: PATH,
      operationId: 'editModProject',
      summary: 'Change a project',
      description:
        'Changes texts, links and visibility. A project that becomes public announces its newest release that had no event yet. The address stays the same.',
      params: ProjectParams,
      body: ProjectPatch,
      bodyLimit: 1024 * 1024,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok: { description: 'The project.', schema: ProjectBody },
    }).handle(async ({ caller, params, body, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const mod = await projects.update(
        access,
        { title: body.title?.trim(), ...toGivenDetails(body), credited: body.credited?.trim() },
        { now, baseUrl },
      );
      return json(toProjectBody(mod, access.member.role, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: `${PATH}/downloads`,
      operationId: 'getModProjectDownloads',
      summary: 'Count downloads by day',
      description: 'Returns the downloads of all releases by UTC day. Counts are a minute old.',
      params: ProjectParams,
      query: DownloadsQuery,
      errors: ['not_found'],
      ok: { description: 'The days.', schema: DownloadsBody },
    }).handle(async ({ caller, params, query, now }) =>
      json(toDownloadsBody(await projects.listDownloads(await projects.authorize(caller, params), query.days, now))),
    ),

    defineRoute({
      ...shared,
      method: 'get',
      path: `${PATH}/audit`,
      operationId: 'listModProjectAudit',
      summary: 'List the audit trail',
      description: 'Lists what members, keys and moderators did to the project: the newest 500 entries.',
      params: ProjectParams,
      query: AuditQuery,
      errors: ['not_found'],
      ok: { description: 'The entries.', schema: AuditBody },
    }).handle(async ({ caller, params, query }) =>
      json(toAuditBody(await projects.listAudit(await projects.authorize(caller, params), query.limit))),
    ),
  ];
}

function releaseEndpoints({ projects, releases, linksFor }: ReleaseRouteDeps): Endpoint[] {
  const errors = ['not_found', 'conflict'] as const;
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: `${PATH}/releases`,
      operationId: 'listModProjectReleases',
      summary: 'List releases of a project',
      description:
        'Lists drafts, scheduled, published and withdrawn releases, up to 500. Long texts are cut; `truncated` names the cut fields.',
      params: ProjectParams,
      errors: ['not_found'],
      ok: { description: 'The releases.', schema: ProjectReleasesBody },
    }).handle(async ({ caller, params, baseUrl }) => {
      const access = await projects.authorize(caller, params);
      const links = linksFor(baseUrl);
      return json({ items: (await releases.list(access)).map((release) => toListedProjectReleaseBody(access.mod, release, links)) });
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: `${PATH}/releases/{id}`,
      operationId: 'getModProjectRelease',
      summary: 'Get a release of a project',
      description: 'Returns a release in any state with its whole texts.',
      params: ProjectReleaseParams,
      errors: ['not_found'],
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, baseUrl }) => {
      const access = await projects.authorize(caller, params);
      return json(toProjectReleaseBody(access.mod, await releases.find(access, params.id), linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: `${PATH}/releases`,
      operationId: 'uploadModRelease',
      summary: 'Upload a release',
      description:
        'Stores a draft, or publishes it at once with `publish=true`. A file that begins with `PK` or is named `.zip` is a zip; every other file must be a valid `.tmod`. A project may have 500 releases; the account of its first owner is charged for drafts and bytes, the member for uploads (`GET /v1/publishing/allowances`).',
      params: ProjectParams,
      rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: UploadForm },
      bodyLimit: MAX_UPLOAD_FORM_BYTES,
      memory: UPLOAD_MEMORY_FACTOR,
      errors: [...errors, 'validation_error', 'service_unavailable'],
      ok: { status: 201, description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, request, reserve, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const form = await readForm(request, FORM_LIMITS, reserve);
      const { upload, isPublished } = toUpload(form);
      const draft = await releases.upload(access, upload, now);
      const release = isPublished ? await releases.publish(access, draft.id, null, { now, baseUrl }) : draft;
      return json(toProjectReleaseBody(access.mod, release, linksFor(baseUrl)), { status: 201 });
    }),

    defineRoute({
      ...shared,
      method: 'patch',
      path: `${PATH}/releases/{id}`,
      operationId: 'editModDraft',
      summary: 'Change a draft',
      description:
        'Changes texts of a draft. A `.tmod` gets a new header, and so a new hash, when its tag or notes change; such a change counts as an upload. Published and withdrawn releases do not change.',
      params: DraftParams,
      body: DraftPatch,
      memory: UPLOAD_MEMORY_FACTOR,
      errors: [...errors, 'bad_request', 'service_unavailable'],
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, body, reserve, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      reserve((await releases.find(access, params.id)).size);
      const { tag, branch, title, changelog, silent } = body;
      const release = await releases.edit(
        access,
        params.id,
        { tag: tag?.trim(), branch: branch?.trim(), title, changelog, isSilent: silent },
        now,
      );
      return json(toProjectReleaseBody(access.mod, release, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: `${PATH}/releases/{id}/publish`,
      operationId: 'publishModRelease',
      summary: 'Publish a draft',
      description:
        'Publishes a draft now, or schedules it. A release of a public project sends the event `mod_release` once, unless it is silent. Repeating the request changes nothing; another time reschedules.',
      params: ProjectReleaseParams,
      body: PublishInput,
      bodyIsOptional: true,
      errors,
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, body, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const at = body.at ? Math.floor(Date.parse(body.at) / 1000) : null;
      const release = await releases.publish(access, params.id, at, { now, baseUrl });
      return json(toProjectReleaseBody(access.mod, release, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: `${PATH}/releases/{id}/withdraw`,
      operationId: 'withdrawModRelease',
      summary: 'Withdraw a release',
      description:
        'Takes a published release back permanently: its file, the lookup and the lists no longer have it, and its tag stays used. A scheduled release becomes a draft again. Idempotent.',
      params: ProjectReleaseParams,
      body: WithdrawInput,
      errors,
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, body, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const release = await releases.withdraw(access, params.id, body.reason.trim(), now);
      return json(toProjectReleaseBody(access.mod, release, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: `${PATH}/releases/{id}`,
      operationId: 'deleteModDraft',
      summary: 'Delete a draft',
      description: 'Deletes a draft with its file and image. Its tag is free again.',
      params: DraftParams,
      errors,
      ok: { status: 204, contentTypes: [], description: 'Deleted.' },
    }).handle(async ({ caller, params, now }) => {
      await releases.deleteDraft(await projects.authorize(caller, params), params.id, now);
      return noContent();
    }),
  ];
}

function imageEndpoints({ projects, releases, linksFor }: ReleaseRouteDeps): Endpoint[] {
  const errors = ['not_found', 'conflict', 'bad_request', 'service_unavailable'] as const;
  const image = { rawBody: IMAGE_BODY, bodyLimit: MAX_IMAGE_BYTES };
  const ok = { description: 'The project.', schema: ProjectBody };
  return [
    defineRoute({
      ...shared,
      ...image,
      method: 'put',
      path: `${PATH}/releases/{id}/image`,
      operationId: 'setModDraftImage',
      summary: 'Set the image of a draft',
      description: 'Replaces the preview image of a draft. The content determines the type.',
      params: DraftParams,
      errors,
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, request, reserve, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const image = await readBytes(request, MAX_IMAGE_BYTES, reserve);
      return json(toProjectReleaseBody(access.mod, await releases.setImage(access, params.id, image, now), linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: `${PATH}/releases/{id}/image`,
      operationId: 'removeModDraftImage',
      summary: 'Remove the image of a draft',
      description: 'Removes the preview image of a draft. Idempotent.',
      params: DraftParams,
      errors,
      ok: { description: 'The release.', schema: ProjectReleaseBody },
    }).handle(async ({ caller, params, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      return json(toProjectReleaseBody(access.mod, await releases.setImage(access, params.id, null, now), linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      ...image,
      method: 'put',
      path: `${PATH}/banner`,
      operationId: 'setModBanner',
      summary: 'Set the banner',
      description: 'Replaces the banner. The content determines the type.',
      params: ProjectParams,
      errors,
      ok,
    }).handle(async ({ caller, params, request, reserve, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const banner = await releases.storeImage(access, await readBytes(request, MAX_IMAGE_BYTES, reserve), 'banner', now);
      return json(toProjectBody(await projects.update(access, { banner }, { now, baseUrl }), access.member.role, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: `${PATH}/banner`,
      operationId: 'removeModBanner',
      summary: 'Remove the banner',
      description: 'Removes the banner. Idempotent.',
      params: ProjectParams,
      errors,
      ok,
    }).handle(async ({ caller, params, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      return json(toProjectBody(await projects.update(access, { banner: null }, { now, baseUrl }), access.member.role, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      ...image,
      method: 'post',
      path: `${PATH}/previews`,
      operationId: 'addModPreview',
      summary: 'Add a preview',
      description: `Adds a preview image; a project has at most ${MOD_LIMITS.previews}.`,
      params: ProjectParams,
      errors,
      ok,
    }).handle(async ({ caller, params, request, reserve, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const { previews } = access.mod;
      if (previews.length >= MOD_LIMITS.previews) {
        throw new ApiError('conflict', `the project has the maximum of ${MOD_LIMITS.previews} previews`, { hint: 'remove a preview' });
      }
      const preview = await releases.storeImage(access, await readBytes(request, MAX_IMAGE_BYTES, reserve), 'preview', now);
      const others = previews.filter(({ sha256 }) => sha256 !== preview.sha256);
      const mod = await projects.update(access, { previews: [...others, preview] }, { now, baseUrl });
      return json(toProjectBody(mod, access.member.role, linksFor(baseUrl)));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: `${PATH}/previews/{sha256}`,
      operationId: 'removeModPreview',
      summary: 'Remove a preview',
      description: 'Removes a preview image. Idempotent.',
      params: PreviewParams,
      errors,
      ok,
    }).handle(async ({ caller, params, baseUrl, now }) => {
      const access = await projects.authorize(caller, params);
      const previews = access.mod.previews.filter(({ sha256 }) => sha256 !== params.sha256.toLowerCase());
      const mod = await projects.update(access, { previews }, { now, baseUrl });
      return json(toProjectBody(mod, access.member.role, linksFor(baseUrl)));
    }),
  ];
}

/** The upload of a form. Throws 422 for an invalid text and 400 for a missing file. */
function toUpload({ fields, files, emptyFiles }: Form): { upload: Upload; isPublished: boolean } {
  const texts = validate(UploadFields, 'body', Object.fromEntries(fields)) as z.output<typeof UploadFields>;
  const unknown = files.find(({ field }) => field !== 'file' && field !== 'image');
  if (unknown) throw validationError([{ loc: ['body', unknown.field], msg: 'is not a file of this form', type: 'unknown' }]);
  const file = files.find(({ field }) => field === 'file');
  if (!file) throw fieldError(['file'], emptyFiles.has('file') ? 'must not be empty' : 'is required');
  return {
    upload: {
      bytes: file.bytes,
      filename: file.filename,
      image: files.find(({ field }) => field === 'image')?.bytes ?? null,
      tag: texts.tag.trim(),
      branch: texts.branch.trim(),
      title: texts.title,
      changelog: texts.changelog,
      isSilent: texts.silent,
    },
    isPublished: texts.publish,
  };
}
