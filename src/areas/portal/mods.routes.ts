import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import type { Site } from '../../platform/http/pages/site-header.tsx';
import { type AnyRouteSpec, defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { foldCase } from '../../platform/kit/values/fold.ts';
import { htmlPage, pagesRateLimit } from './layout/html-page.routes.ts';
import { plainPageReply } from './layout/layout.page.tsx';
import { authorPage, MOD_ORDERS, type ModOrder, modPage, modsPage } from './mods.pages.tsx';
import { packPage, packsPage } from './packs.pages.tsx';
import { modPreview } from './previews/previews.service.ts';

const MAX_PAGE = 10_000;
const MAX_TEXT = 200;

const text = (description: string, example: string) =>
  z
    .string()
    .max(MAX_TEXT)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    .openapi({ type: 'string', description, example })
    .optional();
const orUndefined = (value: string | undefined) => (value === undefined || value.trim() === '' ? undefined : value.trim());
const sort = choice(Object.keys(MOD_ORDERS) as ModOrder[], { description: 'Order of the list.', example: 'recent' }).default('recent');
const page = integerWithDefault({ min: 1, max: MAX_PAGE, default: 1, description: 'Page of the list.', example: 1 });
const ModsQuery = z.object({ q: text('Words to find.', 'wings'), tag: text('Tag.', 'Wings'), sort, page });
const AuthorParams = z.object({ author: z.string().min(1).max(MAX_TEXT).openapi({ description: 'Name of the author.', example: 'Ana' }) });

const segment = (description: string, example: string) => z.string().min(1).max(100).openapi({ description, example });

export const ModPageParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the mod, case-insensitive.', 'tiny-wings'),
});

const PackPageParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the pack, case-insensitive.', 'starter-set'),
});

const shared = { ...htmlPage, access: tokenlessAccess('mods:read', pagesRateLimit), feature: 'featureModsHubEnabled' } as const;

/** `/mods` and its subpages. Requests count against the rate limit of pages. */
export function createModPageEndpoints(site: Site, ports: Pick<Ports, 'publicMods' | 'publicMod' | 'publicPacks'>): Endpoint[] {
  const { publicMods, publicMod, publicPacks } = ports;
  const packs = {
    ...shared,
    part: { name: 'packs', isOn: ({ modpacksEnabled }) => modpacksEnabled },
  } as const satisfies Partial<AnyRouteSpec>;
  return [
    defineRoute({
      ...shared,
      path: '/mods',
      operationId: 'getModCatalogPage',
      summary: 'Mods page',
      description: 'The catalog of mods with search and filters.',
      query: ModsQuery,
      addresses: () => [],
    }).handle(async ({ query, baseUrl }) => {
      const request = { ...query, q: orUndefined(query.q), tag: orUndefined(query.tag) };
      return plainPageReply(site, modsPage(request, await publicMods.list(request, baseUrl), publicMods.pageSize));
    }),

    defineRoute({
      ...shared,
      path: '/mods/authors/{author}',
      operationId: 'getModAuthorPage',
      summary: 'Page of a mod author',
      description: 'The mods of an author.',
      params: AuthorParams,
      query: z.object({ sort, page }),
      errors: ['not_found'],
      addresses: () => [],
    }).handle(async ({ params: { author }, query, baseUrl }) => {
      const listed = await publicMods.list({ ...query, author }, baseUrl);
      if (listed.total === 0) throw notFound('author not found');
      // The spelling of the catalog.
      const name = listed.mods.find((mod) => foldCase(mod.author) === foldCase(author))?.author ?? author;
      const request = { ...query, q: undefined, tag: undefined };
      return plainPageReply(site, authorPage(name, request, listed, publicMods.pageSize));
    }),

    defineRoute({
      ...packs,
      path: '/mods/packs',
      operationId: 'getModpacksPage',
      summary: 'Page of packs',
      description: 'The newest packs of mods.',
    }).handle(async ({ baseUrl }) => plainPageReply(site, packsPage(await publicPacks.list(baseUrl)))),

    // `page_url` of a pack links to it.
    defineRoute({
      ...packs,
      path: '/mods/packs/{handle}/{slug}',
      operationId: 'getModpackPage',
      summary: 'Page of a pack',
      description: 'A pack of mods with its variants.',
      params: PackPageParams,
      errors: ['not_found'],
    }).handle(async ({ params, baseUrl }) => {
      const pack = await publicPacks.detail(params, baseUrl);
      return plainPageReply(site, packPage(pack, `${baseUrl}/v1/modpacks/${pack.handle}/${pack.slug}`));
    }),

    // `page_url` of a mod links to it.
    defineRoute({
      ...shared,
      path: '/mods/{handle}/{slug}',
      operationId: 'getModPage',
      summary: 'Page of a mod',
      description: 'A mod of the catalog with its releases.',
      params: ModPageParams,
      errors: ['not_found'],
    }).handle(async ({ params, baseUrl }) => {
      const mod = await publicMod(params, baseUrl);
      return plainPageReply(site, { ...modPage(mod), preview: modPreview(mod, baseUrl) });
    }),
  ];
}
