import { z } from '@hono/zod-openapi';
import type { ProjectKeyRow } from '../../../platform/access/tokens.tables.ts';
import { enumOf, integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { booleanWithDefault, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { boundedList } from '../../../platform/http/replies/list-bounds.ts';
import { SECONDS_PER_DAY, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { visibleText } from '../../../platform/kit/values/visible-text.ts';
import {
  LISTED_RELEASE_FIELDS,
  link,
  listedReleaseShape,
  ModBody,
  ModParams,
  ModReleaseBody,
  textOrNull,
  timeOrNull,
  toModBody,
  toReleaseBody,
} from '../catalog/catalog.schemas.ts';
import { cutRelease } from '../catalog/listed-mod.domain.ts';
import { line, ModInsert, prose, requiredLine } from '../insert/insert.schemas.ts';
import { ALLOWANCE_NAMES, ALLOWANCE_PERIODS, ALLOWANCES, type AllowanceName } from '../records/allowances.data.ts';
import { DEFAULT_BRANCH, MAX_RELEASES, MOD_LIMITS, RELEASE_LIMITS, VISIBILITIES } from '../records/catalog.data.ts';
import type { Mod, ModLinks } from '../records/mod.domain.ts';
import {
  CLAIM_STATES,
  CODE_CHECKS,
  DEFAULT_KEY_DAYS,
  MAX_DOWNLOAD_DAYS,
  MAX_KEY_DAYS,
  MAX_UPLOAD_BYTES,
  PROJECT_LIMITS,
  RELEASE_STATES,
  ROLES,
} from '../records/publishing.data.ts';
import { type AllowanceState, nextDayAt } from './allowances.service.ts';
import type { AuditRow, ClaimRow, MemberRow } from './projects.store.ts';
import { stateOf } from './publishing.domain.ts';
import type { ProjectRelease } from './releases.store.ts';

export const EXAMPLE_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const EXAMPLE_DRAFT_ID = '1d3f7a52-6c0e-4d0b-8a7e-3f1f0c9b2e64';
export const EXAMPLE_TIME = '2026-03-10T15:00:00.000Z';
const isoOrNull = (at: UnixSeconds | null) => (at === null ? null : toIso(at));
const reason = (description: string) => requiredLine(PROJECT_LIMITS.reason, description, 'Crashes on start');
export const handle = (description: string) => z.string().trim().toLowerCase().min(1).max(40).openapi({ description, example: 'ana' });

export const ProjectParams = ModParams;
export const ProjectReleaseParams = ModParams.extend({
  id: z.string().max(64).openapi({ description: 'Id of the release.', example: EXAMPLE_ID }),
});
/** Of a draft, which another release of the same project is in the examples. */
export const DraftParams = ModParams.extend({
  id: z.string().max(64).openapi({ description: 'Id of the draft.', example: EXAMPLE_DRAFT_ID }),
});
export const ProjectKeyParams = ModParams.extend({
  id: z.string().max(64).openapi({ description: 'Id of the key.', example: 'bot0Example' }),
});
export const PreviewParams = ModParams.extend({
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .openapi({ description: 'Hash of the image.', example: '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0' }),
});
export const ClaimParams = z.object({ id: z.string().max(64).openapi({ description: 'Id of the claim.', example: EXAMPLE_ID }) });

export const ProjectBody = z
  .object({
    ...ModBody.shape,
    visibility: enumOf(VISIBILITIES).openapi({ description: 'Visibility.', example: 'public' }),
    role: enumOf(ROLES).openapi({ description: 'Role of the client.', example: 'owner' }),
    is_taken_down: z.boolean().openapi({ description: 'Whether a moderator hid the mod.', example: false }),
    is_approved: z.boolean().openapi({
      description: 'False: hidden until a moderator approves it, because a mod of a member was taken down before.',
      example: true,
    }),
  })
  .openapi('ModProject', { description: 'A mod, as its members see it.' });

export function toProjectBody(mod: Mod, role: MemberRow['role'], links: ModLinks): z.infer<typeof ProjectBody> {
  return {
    ...toModBody(mod, links),
    visibility: mod.visibility,
    role,
    is_taken_down: mod.takenDownAt !== null,
    is_approved: mod.isApproved,
  };
}

const given = z.object(ModInsert.shape).omit({
  handle: true,
  slug: true,
  author: true,
  uploaded_on_behalf: true,
  banner_base64: true,
  previews_base64: true,
  forked_from: true,
  inspired_by: true,
  release: true,
}).shape;
export const ProjectPatch = z
  .object({
    ...given,
    title: given.title.optional(),
    credited: line(MOD_LIMITS.author, 'Names to credit; the author of a project is always its members.', 'Ben').optional(),
  })
  .openapi('ModProjectPatch', { description: 'Fields to change. Omitted fields are unchanged; the address never changes.' });

const projectReleaseShape = {
  published_at: timeOrNull('Time of the publication; null before it.', EXAMPLE_TIME),
  download_url: link(
    'Absolute URL of the file; 404 unless the release is published.',
    'https://api.example.com/v1/mods/ana/tiny-wings/releases/0f8fad5b-d9cb-469f-a165-70867728950e/download',
  ),
  state: enumOf(RELEASE_STATES).openapi({ description: 'State.', example: 'published' }),
  silent: z.boolean().openapi({ description: 'Whether it is published without an event.', example: false }),
  created_at: timeOrNull('Time of the upload; null for a release of the mirror or an insert.', EXAMPLE_TIME),
  publish_at: timeOrNull('Time of the scheduled publication.', null),
  publish_error: textOrNull('Why the last scheduled publication failed.', null),
  withdrawn_at: timeOrNull('Time of the withdrawal.', null),
  withdraw_reason: textOrNull('Reason of the withdrawal.', null, PROJECT_LIMITS.reason),
  image_url: textOrNull('Absolute URL of the preview image; 404 unless the release is published.', null),
};

export const ProjectReleaseBody = z
  .object({ ...ModReleaseBody.shape, ...projectReleaseShape })
  .openapi('ModProjectRelease', { description: 'A release in any state.' });

const ListedProjectReleaseBody = z
  .object({ ...listedReleaseShape, ...projectReleaseShape })
  .openapi('ListedModProjectRelease', { description: 'A release in any state in a list, whose long texts are cut.' });

export const ProjectReleasesBody = z
  .object({
    items: boundedList(ListedProjectReleaseBody, MAX_RELEASES, LISTED_RELEASE_FIELDS).openapi({
      description: 'The newest upload first.',
    }),
  })
  .openapi('ModProjectReleases', { description: 'The releases of a project.' });

export function toProjectReleaseBody(mod: Mod, release: ProjectRelease, links: ModLinks): z.infer<typeof ProjectReleaseBody> {
  return {
    ...toReleaseBody(mod, release, links),
    published_at: isoOrNull(release.publishedAt),
    state: stateOf(release),
    silent: release.isSilent,
    created_at: isoOrNull(release.createdAt),
    publish_at: isoOrNull(release.publishAt),
    publish_error: release.publishError,
    withdrawn_at: isoOrNull(release.withdrawnAt),
    withdraw_reason: release.withdrawReason && visibleText(release.withdrawReason),
    image_url: release.image && links.image(release.image.sha256),
  };
}

export function toListedProjectReleaseBody(mod: Mod, release: ProjectRelease, links: ModLinks): z.infer<typeof ListedProjectReleaseBody> {
  const { value, truncated } = cutRelease(release);
  return { ...toProjectReleaseBody(mod, value, links), truncated };
}

/** Text fields of an upload. */
export const UploadFields = z.object({
  tag: requiredLine(RELEASE_LIMITS.tag, 'Version; unique per branch.', '1.0.0'),
  branch: requiredLine(RELEASE_LIMITS.branch, 'Variant of the mod.', DEFAULT_BRANCH).default(DEFAULT_BRANCH),
  title: line(RELEASE_LIMITS.title, 'Title.', 'First release').default(''),
  changelog: prose(RELEASE_LIMITS.changelog, 'Notes of the release.', 'Everything.').default(''),
  silent: booleanWithDefault({ default: false, description: 'Whether to publish without an event.', example: false }),
  publish: booleanWithDefault({ default: false, description: 'Whether to publish at once instead of storing a draft.', example: false }),
});

/** Form of an upload, for the OpenAPI document. */
export const UploadForm = z
  .object({
    ...UploadFields.shape,
    file: z.string().openapi({
      format: 'binary',
      example: '(bytes)',
      description: `A \`.tmod\` or zip file, up to ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB. The header of a \`.tmod\` gets title, author, modVersion, notes, tags and flags of the project and the release.`,
    }),
    image: z
      .string()
      .optional()
      .openapi({ format: 'binary', example: '(bytes)', description: 'Preview image: PNG, JPEG, WebP or GIF, up to 5 MiB.' }),
  })
  .openapi('ModUpload', { description: 'A release to add.' });

export const DraftPatch = z
  .object({
    tag: requiredLine(RELEASE_LIMITS.tag, 'Version; unique per branch.', '1.0.1').optional(),
    branch: requiredLine(RELEASE_LIMITS.branch, 'Variant of the mod.', DEFAULT_BRANCH).optional(),
    title: line(RELEASE_LIMITS.title, 'Title.', 'First release').optional(),
    changelog: prose(RELEASE_LIMITS.changelog, 'Notes of the release.', 'Everything.').optional(),
    silent: z.boolean().optional().openapi({ description: 'Whether to publish without an event.', example: false }),
  })
  .openapi('ModDraftPatch', { description: 'Texts to change. Omitted fields are unchanged.' });

export const PublishInput = z
  .object({
    at: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .openapi({ description: 'Time of the publication, within 90 days; absent or null: now.', example: null }),
  })
  .openapi('ModPublish', { description: 'When to publish.' });

export const WithdrawInput = z.object({ reason: reason('Reason, shown to the members.') }).openapi('ModWithdraw', { description: 'Why.' });

export const DownloadsQuery = z.object({
  days: integerWithDefault({ min: 1, max: MAX_DOWNLOAD_DAYS, default: 30, description: 'Number of days, including today.', example: 30 }),
});
export const DownloadsBody = z
  .object({
    items: z
      .array(
        z.object({
          day: string('UTC day.', '2026-03-10'),
          downloads: z.number().int().openapi({ description: 'Downloads of all releases on that day.', example: 12 }),
        }),
      )
      .openapi({ description: 'Every day, the oldest first.' }),
  })
  .openapi('ModProjectDownloads', { description: 'Downloads by day.' });

export const toDownloadsBody = (days: readonly { day: number; n: number }[]): z.infer<typeof DownloadsBody> => ({
  items: days.map(({ day, n }) => ({ day: toIso(day * SECONDS_PER_DAY).slice(0, 10), downloads: n })),
});

export const AuditQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: PROJECT_LIMITS.auditEntries,
    default: 100,
    description: 'Maximum number of entries.',
    example: 100,
  }),
});
export const AuditBody = z
  .object({
    items: z
      .array(
        z.object({
          at: string('Time.', EXAMPLE_TIME),
          actor: string('Handle of the member, with the name of the key; `moderator` or `schedule`.', 'ana (key release pipeline)'),
          action: string('What happened.', 'release_uploaded'),
          detail: string('Details; may be empty.', '1.0.0 on main, 130 bytes'),
        }),
      )
      .openapi({ description: 'The newest first.' }),
  })
  .openapi('ModProjectAudit', { description: 'The audit trail.' });

export const toAuditBody = (rows: readonly AuditRow[]): z.infer<typeof AuditBody> => ({
  items: rows.map(({ at, actor, action, detail }) => ({ at: toIso(at), actor, action, detail })),
});

export const AllowancesBody = z
  .object({
    items: z
      .array(
        z.object({
          name: enumOf(ALLOWANCE_NAMES).openapi({ description: 'What is counted.', example: 'uploads' }),
          period: enumOf(ALLOWANCE_PERIODS).openapi({ description: 'Period.', example: 'day' }),
          used: integer('Used.', 3),
          max: integer('Maximum.', 60),
          left: integer('Left; 0 when more is used.', 57),
          resets_at: timeOrNull('Time when a daily allowance starts again; null for the others.', '2026-03-11T00:00:00.000Z'),
        }),
      )
      .max(ALLOWANCE_NAMES.length)
      .openapi({ description: 'The allowances.' }),
  })
  .openapi('PublishingAllowances', { description: 'What an account may use for its projects.' });

export const toAllowancesBody = (states: readonly AllowanceState[], now: UnixSeconds): z.infer<typeof AllowancesBody> => ({
  items: states.map(({ name, used, max }) => {
    const { period } = ALLOWANCES[name];
    return { name, period, used, max, left: Math.max(0, max - used), resets_at: period === 'day' ? toIso(nextDayAt(now)) : null };
  }),
});

export const AllowanceParams = z.object({
  user_id: z.string().max(64).openapi({ description: 'Id of the account.', example: 'bot0Example' }),
});
const allowance = z
  .number()
  .int()
  .min(0)
  .max(1_000_000_000_000)
  .nullish()
  .openapi({ description: 'Maximum; null restores the setting.', example: 120 });
export const AllowancesInput = z
  .object(Object.fromEntries(ALLOWANCE_NAMES.map((name) => [name, allowance])) as Record<AllowanceName, typeof allowance>)
  .openapi('PublishingAllowancesInput', { description: 'Allowances to change.' });

// The portal

export const CreateProjectInput = z
  .object({
    handle: handle('Handle; registered for the account on its first use.'),
    title: given.title,
    summary: given.summary,
    tags: given.tags,
  })
  .openapi('ModProjectInput', { description: 'A new project.' });

export const ProjectsBody = z
  .object({
    handles: z.array(z.string()).openapi({ description: 'Handles of the account, the first one first.', example: ['ana'] }),
    items: z
      .array(
        z.object({
          handle: string('Handle.', 'ana'),
          slug: string('Slug.', 'tiny-wings'),
          title: string('Title.', 'Tiny Wings'),
          visibility: enumOf(VISIBILITIES).openapi({ description: 'Visibility.', example: 'public' }),
          role: enumOf(ROLES).openapi({ description: 'Role of the account.', example: 'owner' }),
        }),
      )
      .openapi({ description: 'The newest change first.' }),
  })
  .openapi('ModProjects', { description: 'The projects of the account.' });

export const KeyInput = z
  .object({
    name: requiredLine(PROJECT_LIMITS.keyName, 'Name.', 'release pipeline'),
    allowed_ips: z
      .array(z.string().max(64))
      .max(64)
      .default([])
      .openapi({ description: 'IP addresses and networks that may use the key; empty: all.', example: [] }),
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(MAX_KEY_DAYS)
      .default(DEFAULT_KEY_DAYS)
      .openapi({ description: `Lifetime in days, 1 to ${MAX_KEY_DAYS}.`, example: DEFAULT_KEY_DAYS }),
  })
  .openapi('ModKeyInput', { description: 'A new project key.' });

const KeyBody = z
  .object({
    id: string('Id.', 'bot0Example'),
    name: string('Name.', 'release pipeline'),
    prefix: string('First characters of the key.', 'api_01234567'),
    allowed_ip_count: z.number().int().openapi({ description: 'Number of allowlist entries.', example: 0 }),
    created_at: string('Time of the creation.', EXAMPLE_TIME),
    expires_at: string('Time when it expires.', '2026-06-08T15:00:00.000Z'),
    last_used_at: textOrNull('Time of the last use, to the minute.', null),
    ended_at: textOrNull('Time when it was ended.', null),
    end_reason: textOrNull('Why it was ended.', null),
  })
  .openapi('ModProjectKey', { description: 'A project key, without its secret.' });
export const KeyWithSecret = KeyBody.extend({
  key: string('The secret. It is shown only now.', 'api_0123456789abcdefghijklmnopqbot0ExampleNDnId_eDC10l'),
}).openapi('ModProjectKeyWithSecret', { description: 'A new project key.' });
export const KeysBody = z
  .object({ items: z.array(KeyBody).openapi({ description: 'The oldest first; ended keys for 90 days.' }) })
  .openapi('ModProjectKeys', { description: 'The keys of a project.' });

export function toKeyBody(row: ProjectKeyRow): z.infer<typeof KeyBody> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    allowed_ip_count: row.allowlist.length,
    created_at: toIso(row.createdAt),
    expires_at: toIso(row.expiresAt),
    last_used_at: isoOrNull(row.lastUsedAt),
    ended_at: isoOrNull(row.endedAt),
    end_reason: row.endReason,
  };
}

export const ClaimInput = z
  .object({
    mod: z.string().max(200).openapi({ description: 'Address of the mod, `handle/slug`.', example: 'stray/old-wings' }),
    handle: handle('Handle under which an unclaimed mod (`stray`) moves; otherwise the handle of the mod.').optional(),
    note: prose(PROJECT_LIMITS.claimNote, 'Evidence for the moderators.', 'I am Ana on the forum.').default(''),
  })
  .openapi('ModClaimInput', { description: 'A claim of a mod.' });

export const ClaimBody = z
  .object({
    id: string('Id.', EXAMPLE_ID),
    mod: string('Address of the mod.', 'stray/old-wings'),
    title: string('Title of the mod.', 'Old Wings'),
    handle: string('Handle that the account gets.', 'ana'),
    note: string('Evidence.', 'I am Ana on the forum.'),
    code: textOrNull('Text to put into the description of the mod in the linked catalog, for 7 days; null if it is not from there.', null),
    state: enumOf(CLAIM_STATES).openapi({ description: 'State.', example: 'pending' }),
    reason: textOrNull('Reason of a rejection.', null),
    created_at: string('Time of the claim.', EXAMPLE_TIME),
    decided_at: textOrNull('Time of the decision.', null),
  })
  .openapi('ModClaim', { description: 'A claim of a mod.' });
export const VerifiedClaimBody = ClaimBody.extend({
  check: enumOf(CODE_CHECKS).openapi({ description: 'Result of looking for the code.', example: 'code_not_found' }),
}).openapi('ModClaimVerified', { description: 'A claim, after looking for its code.' });
export const ClaimsBody = z
  .object({ items: z.array(ClaimBody).openapi({ description: 'The oldest first, at most 200.' }) })
  .openapi('ModClaims', { description: 'Claims.' });

export function toClaimBody(claim: ClaimRow, mod: { handle: string; slug: string; title: string }): z.infer<typeof ClaimBody> {
  return {
    id: claim.id,
    mod: `${mod.handle}/${mod.slug}`,
    title: mod.title,
    handle: claim.handle,
    note: claim.note,
    code: claim.state === 'pending' ? claim.code : null,
    state: claim.state,
    reason: claim.reason,
    created_at: toIso(claim.createdAt),
    decided_at: isoOrNull(claim.decidedAt),
  };
}

export const RejectInput = z
  .object({ reason: reason('Reason, sent to the account.') })
  .openapi('ModClaimRejection', { description: 'Why.' });
