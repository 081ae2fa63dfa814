import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { BADGE_TYPE, badgeReply } from '../../platform/http/replies/badge-reply.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import type { BadgeTone } from '../../platform/images/badge.domain.ts';
import { STATUSES, type Status } from './game-status.data.ts';
import type { GameStatusBody } from './game-status.schemas.ts';

type StatusBody = Representation<z.output<typeof GameStatusBody>>;

/** Maximum cache age in seconds; the servers are probed about once a minute. */
const MAX_AGE = 30;
const TONES: Readonly<Record<Status, BadgeTone>> = { online: 'good', maintenance: 'warn', down: 'bad', unknown: 'none' };

/** `/v1/misc/badge/game-status.svg`: the overall status as a small image. */
export function createStatusBadgeEndpoint(status: () => StatusBody | Promise<StatusBody>): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/misc/badge/game-status.svg',
    operationId: 'getGameStatusBadge',
    tag: 'Misc',
    summary: 'Get a game status badge',
    description: 'Returns the overall status of the game servers as a small SVG image, for READMEs and forums.',
    access: publicAccess('misc:read'),
    feature: 'featureServerStatusEnabled',
    ok: {
      contentTypes: [BADGE_TYPE],
      description: 'SVG image, 20 pixels high.',
      example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
    },
  }).handle(async () => {
    const { overall } = JSON.parse((await status()).text) as { overall?: Status };
    const currentStatus = STATUSES.find((name) => name === overall) ?? 'unknown';
    return badgeReply(
      { label: 'Game servers', value: currentStatus === 'unknown' ? 'unknown' : currentStatus, tone: TONES[currentStatus] },
      MAX_AGE,
    );
  });
}
