import { type Badge, badgeSvg } from '../../images/badge.domain.ts';
import { digestOf, type RawReply } from './reply.ts';

export const BADGE_TYPE = 'image/svg+xml';

/** A badge with a strong ETag. `maxAge`: seconds until the badge may change. */
export function badgeReply(badge: Badge, maxAge: number): RawReply {
  const body = badgeSvg(badge);
  return { kind: 'raw', body, contentType: BADGE_TYPE, etag: `"${digestOf(body)}"`, maxAge: Math.max(1, maxAge) };
}
