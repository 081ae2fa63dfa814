import { z } from '@hono/zod-openapi';
import { addressAccess, type RateLimitRule } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { PREVIEW_SECTIONS, TOOLS } from '../../platform/http/pages/menu.data.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { codexPageSchemas } from './codex/codex.routes.ts';
import { ModPageParams } from './mods.routes.ts';
import {
  codexCard,
  frontCard,
  modCard,
  type PreviewImages,
  sectionCard,
  statusCard,
  toolCard,
  toolsCard,
} from './previews/previews.service.ts';
import { gemCard } from './tools/gems/gem-card.domain.ts';
import { EXAMPLE_GEM_CODE, MAX_GEM_CODE_LENGTH } from './tools/gems/gem-code.domain.ts';

/** Rate limit of preview requests per IP address. */
const previewsRateLimit: RateLimitRule = { name: 'previews', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };
/** Rate limit of new renderings per IP address. */
const previewRenderingsRateLimit: RateLimitRule = { name: 'preview-drawings', limitOf: () => ({ limit: 30, windowSeconds: 60 }) };

const shared = {
  method: 'get',
  tag: 'Portal',
  access: addressAccess(previewsRateLimit, previewRenderingsRateLimit),
  hidden: true,
  ok: { contentTypes: ['image/png'] as const, description: 'PNG, 1200 x 630 pixels.' },
} as const;

const GemPreviewQuery = z.object({
  gem: z.string().max(MAX_GEM_CODE_LENGTH).openapi({ description: 'A gem as in the link of the simulator.', example: EXAMPLE_GEM_CODE }),
});

/** `/og/*`: Open Graph images of link previews. */
export function createPreviewEndpoints(
  appName: string,
  previews: PreviewImages,
  { publicMod, codexReader: codex }: Pick<Ports, 'publicMod' | 'codexReader'>,
): Endpoint[] {
  const { TypeParams, PreviewQuery } = codexPageSchemas(codex.typeNames, codex.relNames);
  return [
    defineRoute({
      ...shared,
      path: '/og/front.png',
      operationId: 'getFrontPreview',
      summary: 'Preview of the front page',
      description: 'The link preview image of the front page.',
    }).handle((input) => previews.reply({ site: appName, ...frontCard }, input)),

    defineRoute({
      ...shared,
      path: '/og/status.png',
      operationId: 'getStatusPreview',
      summary: 'Preview of the status page',
      description: 'The link preview image of the status page.',
    }).handle((input) => previews.reply({ site: appName, ...statusCard }, input)),

    defineRoute({
      ...shared,
      path: '/og/tools.png',
      operationId: 'getToolsPreview',
      summary: 'Preview of the list of tools',
      description: 'The link preview image of the list of tools.',
    }).handle((input) => previews.reply({ site: appName, ...toolsCard }, input)),

    ...PREVIEW_SECTIONS.map((section) =>
      defineRoute({
        ...shared,
        path: `/og/${section}.png`,
        operationId: `get${section[0]?.toUpperCase()}${section.slice(1)}SectionPreview`,
        summary: 'Preview of a section',
        description: 'The link preview image of the pages of a section without an image of their own.',
      }).handle((input) => previews.reply({ site: appName, ...sectionCard(section) }, input)),
    ),

    ...TOOLS.map(({ name, label }) =>
      defineRoute({
        ...shared,
        path: `/og/tools/${name}.png`,
        operationId: `get${label}ToolPreview`,
        summary: 'Preview of a tool',
        description: 'The link preview image of the page of a tool.',
      }).handle((input) => previews.reply({ site: appName, ...toolCard(name) }, input)),
    ),

    defineRoute({
      ...shared,
      path: '/og/tools/gem.png',
      operationId: 'getGemPreview',
      summary: 'Preview of a gem',
      description: 'The link preview image of a gem of the simulator.',
      query: GemPreviewQuery,
      errors: ['not_found'],
    }).handle(async (input) => {
      const card = gemCard(input.query.gem);
      if (card === null) throw notFound('gem must be that of a link of the simulator');
      return previews.reply({ site: appName, ...card }, input);
    }),

    defineRoute({
      ...shared,
      path: '/og/mods/{handle}/{slug}.png',
      operationId: 'getModPreview',
      summary: 'Preview of a mod',
      description: 'The link preview image of the page of a mod.',
      feature: 'featureModsHubEnabled',
      params: ModPageParams,
      errors: ['not_found'],
    }).handle(async (input) => previews.reply({ site: appName, ...modCard(await publicMod(input.params, input.baseUrl)) }, input)),

    defineRoute({
      ...shared,
      path: '/og/codex/{type}.png',
      operationId: 'getCodexPreview',
      summary: 'Preview of a codex entry',
      description: 'The link preview image of the page of a codex entry.',
      feature: 'featureCodexesEnabled',
      params: TypeParams,
      query: PreviewQuery,
      errors: ['not_found'],
    }).handle(async (input) => {
      const { branch, path } = input.query;
      return previews.reply({ site: appName, ...codexCard(await codex.findEntry(branch, input.params.type, path)) }, input);
    }),
  ];
}
