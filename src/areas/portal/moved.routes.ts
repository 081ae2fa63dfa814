import { z } from '@hono/zod-openapi';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { htmlPage } from './layout/html-page.routes.ts';

const PERMANENT_REDIRECT = 308;
const OLD_ROOT = '/portal/explore';

/** Public pages whose complete form had an address of its own, with the operation id of the old address. */
const MOVED = [
  ['/market/item', 'getFullMarketItemPage'],
  ['/leaderboards/{uuid}', 'getFullBoardPage'],
  ['/players', 'getFullPlayerPage'],
  ['/updates/{branch}/{ordinal}', 'getFullUpdatePage'],
] as const;

const anyText = z.string().openapi({ description: 'As of the page.', example: '1' });
const PathParams = z.object({ uuid: anyText, branch: anyText, ordinal: anyText });
const paramsOf = (path: string) =>
  z.object(Object.fromEntries(Object.entries(PathParams.shape).filter(([name]) => path.includes(`{${name}}`))));

/** Addresses below `/portal/explore`: each leads to the public page, which shows the same to an account. */
export const movedPages: readonly Endpoint[] = MOVED.map(([path, operationId]) =>
  defineRoute({
    ...htmlPage,
    path: `${OLD_ROOT}${path}`,
    operationId,
    summary: 'Old address of a page',
    description: `Leads to \`${path}\`.`,
    access: openAccess,
    params: paramsOf(path),
    addresses: () => [],
    ok: { contentTypes: [], description: 'The address of the page.', status: PERMANENT_REDIRECT },
  }).handle(({ request }) => {
    const { pathname, search } = new URL(request.url);
    return { kind: 'raw', body: null, contentType: '', headers: { Location: pathname.slice(OLD_ROOT.length) + search } };
  }),
);
