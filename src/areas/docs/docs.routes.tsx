import { z } from '@hono/zod-openapi';
import { openAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Ports, Service } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { documentedEndpoints } from '../../platform/openapi/document.ts';
import { slugOf } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { FrontPage, GuideCards, type TagEntry, TagTable } from './front.page.tsx';
import { type Declarations, withGeneratedParts } from './generated.page.tsx';
import { EXAMPLE_BASE_URL, type GuideEntry, type Guides } from './guides.store.ts';
import { docsHtml, docsReply, type Frame, pageReply } from './layout.page.tsx';
import { type TagDocument, type TagView, tagView } from './reference.domain.ts';
import { TagPage } from './reference.page.tsx';

interface DocsDeps {
  appName: string;
  /** Whether the service has demo data. */
  isDemo: boolean;
  guides: Guides;
  service: Pick<Service, 'endpoints' | 'tags' | 'events' | 'eventSchemas' | 'webhooks'>;
  scopes: ScopeRegistry;
  listTools: Ports['listTools'];
  env: Declarations['env'];
  /** Returns null for an unknown tag. */
  tagDocument(settings: Settings, baseUrl: string, slug: string): Promise<{ text: string; etag: string } | null>;
}

/** Cached reference pages. Exceeds the number of tags. */
const KEPT_PAGES = 48;

const shared = { method: 'get', tag: 'Service', access: openAccess, surface: 'page', hidden: true } as const;
const html = { contentTypes: ['text/html'], description: 'HTML page.' } as const;

const GuideParams = z.object({ guide: z.string().openapi({ description: 'Name of the guide.', example: 'quickstart' }) });
const RecipeParams = z.object({ recipe: z.string().openapi({ description: 'Name of the recipe.', example: 'discord-bot' }) });
const TagParams = z.object({ tag: z.string().openapi({ description: 'Name of the tag in lower case.', example: 'market' }) });

const endpointsIn = async ({ service }: DocsDeps, settings: Settings) => documentedEndpoints(await service.endpoints(), settings);

/** The tags of the endpoints that the settings switch on. */
async function tagsIn(deps: DocsDeps, settings: Settings): Promise<TagEntry[]> {
  const counts = new Map<string, number>();
  for (const { spec } of await endpointsIn(deps, settings)) counts.set(spec.tag, (counts.get(spec.tag) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count, description: deps.service.tags[name] ?? '' }));
}

/** What every page has around its content. */
async function frameOf(deps: DocsDeps, settings: Settings, baseUrl: string): Promise<Frame> {
  const { appName, isDemo, guides } = deps;
  const all = await guides.all();
  const linksOf = (section: GuideEntry['section']) =>
    all.filter((guide) => guide.section === section).map(({ name, title }) => ({ path: `/docs/${name}`, title }));
  const menu = [
    { title: 'Guides', path: '/docs', links: linksOf('Guides') },
    { title: 'Recipes', path: '/docs/recipes', links: linksOf('Recipes') },
    {
      title: 'Reference',
      path: '/docs/reference',
      links: (await tagsIn(deps, settings)).map(({ name }) => ({ path: `/docs/reference/${slugOf(name)}`, title: name })),
    },
  ];
  return { appName, isDemo, baseUrl, menu };
}

/** Page of a guide or recipe. Throws 404. */
async function guideReply(deps: DocsDeps, name: string, settings: Settings, baseUrl: string): Promise<RawReply> {
  const { guides, service, scopes, env, listTools } = deps;
  const guide = (await guides.all()).find((known) => known.name === name);
  if (!guide) throw notFound('guide not found');
  const text = (await guides.html(name)).replaceAll(EXAMPLE_BASE_URL, () => escapedUrl(baseUrl));
  const [endpoints, eventSchemas, tools] = await Promise.all([endpointsIn(deps, settings), service.eventSchemas(), listTools()]);
  const declarations = { baseUrl, settings, endpoints, scopes, events: service.events, eventSchemas, tools, env };
  const main = <div class="prose" dangerouslySetInnerHTML={{ __html: withGeneratedParts(text, declarations) }} />;
  const { title, description, headings } = guide;
  return docsReply(await frameOf(deps, settings, baseUrl), { path: `/docs/${name}`, title, description, headings, main });
}

type ReferencePages = BoundedMap<string, { etag: string; body: string }>;

/** Page of a tag, from the pages of the isolate while neither the document nor the menu changes. Throws 404. */
async function tagReply(deps: DocsDeps, pages: ReferencePages, slug: string, settings: Settings, baseUrl: string): Promise<RawReply> {
  const document = await deps.tagDocument(settings, baseUrl, slug);
  if (!document) throw notFound('tag not found');
  const path = `/docs/reference/${slug}`;
  const frame = await frameOf(deps, settings, baseUrl);
  // The menu depends on the features switched on for all tags.
  const etag = digestOf(document.etag + JSON.stringify(frame));
  const known = pages.get(path);
  if (known?.etag === etag) return pageReply(known.body);
  const view = tagView(JSON.parse(document.text) as TagDocument, baseUrl);
  const body = docsHtml(frame, referencePage(view, path, slug));
  pages.set(path, { etag, body });
  return pageReply(body);
}

/** Guides, recipes, reference. */
export function createDocsEndpoints(deps: DocsDeps): Endpoint[] {
  const { appName, guides } = deps;
  const referencePages: ReferencePages = new BoundedMap(KEPT_PAGES);

  const front = defineRoute({
    ...shared,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Documentation',
    description: 'Front page of the documentation.',
    ok: html,
  }).handle(async ({ settings, baseUrl }) =>
    docsReply(await frameOf(deps, settings, baseUrl), {
      path: '/docs',
      title: 'Documentation',
      description: `Documentation of ${appName}: guides, recipes and the reference of every endpoint.`,
      main: <FrontPage baseUrl={baseUrl} settings={settings} guides={await guides.all()} tags={await tagsIn(deps, settings)} />,
    }),
  );

  const guide = defineRoute({
    ...shared,
    path: '/docs/{guide}',
    operationId: 'getDocsGuide',
    summary: 'Guide',
    description: 'One guide of the documentation.',
    params: GuideParams,
    errors: ['not_found'],
    addresses: async () => (await guides.all()).filter(({ section }) => section === 'Guides').map(({ name }) => `/docs/${name}`),
    ok: html,
  }).handle(({ params, settings, baseUrl }) => guideReply(deps, params.guide, settings, baseUrl));

  const recipes = defineRoute({
    ...shared,
    path: '/docs/recipes',
    operationId: 'listDocsRecipes',
    summary: 'Recipes',
    description: 'Every recipe of the documentation.',
    ok: html,
  }).handle(async ({ settings, baseUrl }) =>
    docsReply(await frameOf(deps, settings, baseUrl), {
      path: '/docs/recipes',
      title: 'Recipes',
      description: `Complete programs that use ${appName}, each with an explanation.`,
      main: <GuideCards guides={(await guides.all()).filter(({ section }) => section === 'Recipes')} />,
    }),
  );

  const recipe = defineRoute({
    ...shared,
    path: '/docs/recipes/{recipe}',
    operationId: 'getDocsRecipe',
    summary: 'Recipe',
    description: 'One recipe of the documentation.',
    params: RecipeParams,
    errors: ['not_found'],
    addresses: async () => (await guides.all()).filter(({ section }) => section === 'Recipes').map(({ name }) => `/docs/${name}`),
    ok: html,
  }).handle(({ params, settings, baseUrl }) => guideReply(deps, `recipes/${params.recipe}`, settings, baseUrl));

  const reference = defineRoute({
    ...shared,
    path: '/docs/reference',
    operationId: 'listDocsTags',
    summary: 'Reference',
    description: 'Every tag of the reference.',
    ok: html,
  }).handle(async ({ settings, baseUrl }) =>
    docsReply(await frameOf(deps, settings, baseUrl), {
      path: '/docs/reference',
      title: 'Reference',
      description: `Every operation of ${appName}, by tag.`,
      main: <TagTable tags={await tagsIn(deps, settings)} />,
    }),
  );

  const tag = defineRoute({
    ...shared,
    path: '/docs/reference/{tag}',
    operationId: 'getDocsTag',
    summary: 'Reference of a tag',
    description: 'Every operation of one tag: parameters, bodies, errors, examples.',
    params: TagParams,
    errors: ['not_found'],
    addresses: async (settings) => (await tagsIn(deps, settings)).map(({ name }) => `/docs/reference/${slugOf(name)}`),
    ok: html,
  }).handle(({ params, settings, baseUrl }) => tagReply(deps, referencePages, params.tag, settings, baseUrl));

  return [front, guide, recipes, recipe, reference, tag];
}

function referencePage(view: TagView, path: string, slug: string) {
  return {
    path,
    title: view.name,
    description: `Reference of ${view.name}: ${view.operations.length} operations. ${view.description}`,
    headings: view.operations.map(({ id, summary }) => ({ id, text: summary })),
    main: <TagPage tag={view} slug={slug} />,
  };
}

/** Escapes a URL for HTML. */
function escapedUrl(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
