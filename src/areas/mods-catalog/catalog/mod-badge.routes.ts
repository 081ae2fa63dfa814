import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import { badgeReply, ImageQuery, imageOk, imagesRateLimit } from '../../../platform/http/replies/badge-reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { cutText, visibleText } from '../../../platform/kit/values/visible-text.ts';
import { catalogShared } from './catalog.routes.ts';
import { ModParams } from './catalog.schemas.ts';
import type { CatalogStore, ModFigures } from './catalog.store.ts';

/** Seconds for which a badge may be shown unchanged. */
const MAX_AGE = 300;
/** Characters of a version that fit into a README's line. */
const MAX_VERSION_LENGTH = 40;
const SHOWN = namedValues('ModFigure', 'Figure of a mod with a badge.', ['downloads', 'version', 'stars']);

const BadgeQuery = ImageQuery.extend({
  show: choice(SHOWN, {
    description: 'Figure to show: `downloads`, `version` (the newest release) or `stars`.',
    example: 'version',
  }).default('downloads'),
});

/** `GET /v1/mods/{handle}/{slug}/badge.svg`: a figure of a mod as a small image. */
export function createModBadgeEndpoint(catalog: Pick<CatalogStore, 'findFigures'>): Endpoint {
  return defineRoute({
    ...catalogShared,
    access: tokenlessAccess('mods:read', imagesRateLimit),
    method: 'get',
    path: '/v1/mods/{handle}/{slug}/badge.svg',
    operationId: 'getModBadge',
    summary: 'Get a mod badge',
    description:
      'Returns downloads, newest version or stars of a mod as a small SVG image, for READMEs and forums. Cacheable for 5 minutes.',
    params: ModParams,
    query: BadgeQuery,
    errors: ['not_found'],
    ok: imageOk('badge'),
  }).handle(async ({ params, query: { show, theme } }) => {
    const figures = await catalog.findFigures(params);
    if (!figures) throw notFound('mod not found');
    const hasVersion = show === 'version' && figures.version !== null;
    return badgeReply({ label: show, value: shownValue(figures, show), tone: hasVersion ? 'good' : 'info' }, MAX_AGE, theme);
  });
}

function shownValue({ downloads, stars, version }: ModFigures, show: (typeof SHOWN)[number]): string {
  if (show === 'version') return version === null ? 'none yet' : cutText(visibleText(version), MAX_VERSION_LENGTH);
  return (show === 'stars' ? stars : downloads).toLocaleString('en');
}
