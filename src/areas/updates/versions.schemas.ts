import { z } from '@hono/zod-openapi';
import { json } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Version } from './archive.domain.ts';

const count = (description: string, example: number) => z.number().int().min(0).openapi({ description, example });

export const VersionBody = z
  .object({
    branch: z.string().openapi({ description: 'Branch.', example: 'live-us' }),
    ordinal: z.number().int().min(1).openapi({ description: 'Ordinal in the history of the branch: 1, 2, 3 …, never reused.', example: 2 }),
    version_tag: z.string().openapi({ description: 'Tag of the version, set by the publisher.', example: 'TEST-103-3325-A-336166' }),
    captured_at: z.string().openapi({ description: 'Time when archiving started (UTC).', example: '2026-06-08T14:54:12Z' }),
    completed_at: z
      .string()
      .nullable()
      .openapi({ description: 'Time when the version became visible (UTC).', example: '2026-06-08T14:54:14Z' }),
    files_added: count('Number of files added.', 7),
    files_modified: count('Number of files modified.', 88),
    files_removed: count('Number of files removed.', 0),
    bytes_added: count('Size in bytes of content new to the archive.', 1_482_113),
  })
  .openapi('ArchiveVersion', { description: 'A captured version of the game.' });

/** Body of the `game_update` message. */
export const GameUpdateBody = z.object({ version: VersionBody }).openapi('GameUpdate', { description: 'The newest version of the game.' });

export function toVersionBody(version: Version): z.infer<typeof VersionBody> {
  return {
    branch: version.branch,
    ordinal: version.ordinal,
    version_tag: version.versionTag,
    captured_at: isoSeconds(version.capturedAt),
    completed_at: version.completedAt === null ? null : isoSeconds(version.completedAt),
    files_added: version.filesAdded,
    files_modified: version.filesModified,
    files_removed: version.filesRemoved,
    bytes_added: version.bytesAdded,
  };
}

/** ISO 8601 in UTC without fractional seconds. */
export function isoSeconds(instant: UnixSeconds): string {
  return new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
}

/** Serialised newest version, identical in the snapshot and the event stream. */
export function gameUpdateBody(version: Version) {
  return json({ version: toVersionBody(version) });
}
