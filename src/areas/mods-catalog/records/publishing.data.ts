import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { RESERVED_HANDLES, STRAY_HANDLE } from './catalog.data.ts';

const MIB = 1024 * 1024;

/** How the outbox deletes files that are no longer needed. */
export const FILE_DELETIONS = {
  policy: { tries: null, firstPauseSeconds: 60, factor: 2, longestPauseSeconds: SECONDS_PER_HOUR },
  leaseSeconds: 30,
  batch: 100,
  concurrency: 4,
} as const;

/** Bounds of projects. */
export const PROJECT_LIMITS = {
  handlesPerAccount: 5,
  projectsPerAccount: 50,
  /** Projects of other accounts of which an account is a member. */
  memberships: 50,
  members: 20,
  openClaimsPerAccount: 5,
  /** Entries of the audit trail; older ones are deleted. */
  auditEntries: 500,
  slug: 60,
  keyName: 80,
  claimNote: 500,
  reason: 500,
} as const;

/** Maximum size of an uploaded file, and of a stamped one: larger ones cannot be read with `POST /v1/mods/read`. */
export const MAX_UPLOAD_BYTES = 20 * MIB;
/** Maximum size of a text field of an upload in bytes: 20,000 characters of the changelog in UTF-8. */
export const MAX_UPLOAD_FIELD_BYTES = 80_000;
/** Maximum body of an upload: the file, the image and the texts. */
export const MAX_UPLOAD_FORM_BYTES = 26 * MIB;
export const UPLOAD_SECONDS = 120;

/** Maximum time between scheduling and publishing. */
export const MAX_SCHEDULE_SECONDS = 90 * SECONDS_PER_DAY;
export const DEFAULT_KEY_DAYS = 90;
export const MAX_KEY_DAYS = 365;
/** How long an invitation may be accepted. */
export const INVITATION_SECONDS = 14 * SECONDS_PER_DAY;
/** How long the code of a claim may be verified. */
export const CLAIM_CODE_SECONDS = 7 * SECONDS_PER_DAY;
/** Days of the download plot. */
export const MAX_DOWNLOAD_DAYS = 92;

export const ROLES = namedValues('ProjectRole', 'Role of a member: owners also manage members and the project.', ['owner', 'author']);
export type Role = (typeof ROLES)[number];

export const RELEASE_STATES = namedValues('ProjectReleaseState', 'State of a release.', ['draft', 'scheduled', 'published', 'withdrawn']);
export type ReleaseState = (typeof RELEASE_STATES)[number];

export const CLAIM_STATES = namedValues('ModClaimState', 'State of a claim.', ['pending', 'confirmed', 'rejected']);

export const ACCESS_STATES = namedValues('PublishingAccessState', 'State of a request to publish.', ['pending', 'approved', 'rejected']);
export type AccessState = (typeof ACCESS_STATES)[number];

export const PUBLISHING_ACCESS_MODES = namedValues('PublishingAccessMode', 'Who may publish.', ['approved', 'open', 'closed']);
export type PublishingAccessMode = (typeof PUBLISHING_ACCESS_MODES)[number];

export const CODE_CHECKS = namedValues('ModClaimCheck', 'Result of looking for the code of a claim.', [
  'confirmed',
  'code_not_found',
  'code_expired',
  'catalog_unavailable',
]);
/** Result of looking for the code of a claim. */
export type CodeCheck = (typeof CODE_CHECKS)[number];

/** Handles that nobody can register: path segments, roles, and names that would pass for the service. */
export const REFUSED_HANDLES: readonly string[] = [
  ...RESERVED_HANDLES,
  STRAY_HANDLE,
  'admin',
  'administrator',
  'anonymous',
  'api',
  'authors',
  'claims',
  'help',
  'hub',
  'me',
  'mod',
  'moderator',
  'mods',
  'new',
  'null',
  'official',
  'packs',
  'projects',
  'publishing',
  'root',
  'service',
  'staff',
  'support',
  'system',
  'trove',
  'trovesaurus',
  'undefined',
  'unknown',
  'user',
];
/** Minimum length of a new handle; the mirror and inserts may have shorter ones. */
export const MIN_HANDLE_LENGTH = 3;
