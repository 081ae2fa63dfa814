import { fileSafe } from '../../../game/mod-filename.domain.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { hasZipSignature } from '../insert/insert.domain.ts';
import { HANDLE_PATTERN } from '../records/catalog.data.ts';
import { slugOf } from '../records/mod.domain.ts';
import { MAX_SCHEDULE_SECONDS, MIN_HANDLE_LENGTH, PROJECT_LIMITS, REFUSED_HANDLES, type ReleaseState } from '../records/publishing.data.ts';

/** Slug of a new project that no other project of the handle has (`taken`). An empty one becomes `mod`; later ones end with `-2`, `-3`. */
export function newSlug(title: string, taken: ReadonlySet<string>): string {
  const base = slugOf(title).slice(0, PROJECT_LIMITS.slug).replace(/-$/, '') || 'mod';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const slug = base.slice(0, PROJECT_LIMITS.slug - suffix.length).replace(/-$/, '') + suffix;
    if (!taken.has(slug)) return slug;
  }
}

/** Why a handle cannot be registered; null when it can. */
export function handleProblem(handle: string): string | null {
  if (!HANDLE_PATTERN.test(handle)) return 'must have only a-z, 0-9, _ and -, up to 40';
  if (handle.length < MIN_HANDLE_LENGTH) return `must have at least ${MIN_HANDLE_LENGTH} characters`;
  return REFUSED_HANDLES.includes(handle) ? 'is a reserved word' : null;
}

/** Why a release cannot be scheduled for a time; null when it can. */
export function scheduleProblem(at: UnixSeconds, now: UnixSeconds): string | null {
  if (at <= now) return 'must be in the future; omit it to publish now';
  return at - now > MAX_SCHEDULE_SECONDS ? 'must be within 90 days' : null;
}

/** State of a release of a project. */
export function stateOf(release: { isPublished: boolean; publishAt: UnixSeconds | null; withdrawnAt: UnixSeconds | null }): ReleaseState {
  if (release.withdrawnAt !== null) return 'withdrawn';
  if (release.isPublished) return 'published';
  return release.publishAt === null ? 'draft' : 'scheduled';
}

/** Whether an upload is a zip archive: by its first bytes or its name. */
export function isZip(bytes: Uint8Array, filename: string): boolean {
  return hasZipSignature(bytes) || filename.toLowerCase().endsWith('.zip');
}

/** File name of a zip release. */
export function zipName(slug: string, tag: string): string {
  return `${slug}-${fileSafe(tag).trim()}.zip`;
}
