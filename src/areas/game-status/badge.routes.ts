import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { badgeReply, cardReply, ImageQuery, imageOk, imagesBudget } from '../../platform/http/replies/badge-reply.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import type { BadgeTone } from '../../platform/kit/images/badge.domain.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';
import { ENVIRONMENTS, type Environment, STATUSES, type Status } from './game-status.data.ts';
import type { GameStatusBody } from './game-status.schemas.ts';

type StatusBody = Representation<z.output<typeof GameStatusBody>>;

/** Maximum cache age in seconds; the servers are probed about once a minute. */
const MAX_AGE = 30;
const TONES: Readonly<Record<Status, BadgeTone>> = { online: 'good', maintenance: 'warn', down: 'bad', unknown: 'none' };

const TITLES: Readonly<Record<Status, string>> = {
  online: 'The servers are online',
  maintenance: 'Maintenance',
  down: 'The servers are down',
  unknown: 'Status unknown',
};
const SERVER_NAMES: Readonly<Record<Environment, string>> = { eu: 'Europe', us: 'North America', pts: 'Test server' };

const shared = {
  method: 'get',
  tag: 'Misc',
  access: publicAccess('misc:read', imagesBudget),
  feature: 'featureServerStatusEnabled',
  query: ImageQuery,
} as const;

/** `/v1/misc/badge/game-status.svg` and `/v1/misc/card/game-status.svg`: the status of the servers as an image. */
export function createStatusImageEndpoints(status: () => StatusBody | Promise<StatusBody>): Endpoint[] {
  const read = async () => JSON.parse((await status()).text) as z.output<typeof GameStatusBody>;
  const statusIn = (name: string | undefined) => STATUSES.find((known) => known === name) ?? 'unknown';
  const badge = defineRoute({
    ...shared,
    path: '/v1/misc/badge/game-status.svg',
    operationId: 'getGameStatusBadge',
    summary: 'Get a game status badge',
    description: 'Returns the overall status of the game servers as a small SVG image, for READMEs and forums.',
    ok: imageOk('badge'),
  }).handle(async ({ query }) => {
    const { overall } = await read();
    const current = statusIn(overall);
    return badgeReply({ label: 'Game servers', value: current, tone: TONES[current] }, MAX_AGE, query.theme);
  });
  const card = defineRoute({
    ...shared,
    path: '/v1/misc/card/game-status.svg',
    operationId: 'getGameStatusCard',
    summary: 'Get a game status card',
    description: 'Returns the status of each game server as an SVG image, for READMEs and forums.',
    ok: imageOk('card'),
  }).handle(async ({ query }) => {
    const { overall, environments, checked_at: checkedAt } = await read();
    const rows = ENVIRONMENTS.map((name) => ({ label: SERVER_NAMES[name], value: statusIn(environments[name]?.status) }));
    const note = checkedAt === null ? 'Not checked yet' : `As of ${readableTime(checkedAt)}`;
    return cardReply({ kind: 'Game servers', title: TITLES[statusIn(overall)], rows, note }, MAX_AGE, query.theme);
  });
  return [badge, card];
}
