import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { requireWholePage } from './catalog.routes.ts';
import { HiddenModsBody, HiddenModsQuery, ModBody, ModParams, TakeDownInput, toModBody } from './catalog.schemas.ts';
import { normalizeAddress } from './catalog.service.ts';
import type { LinksFor } from './links.domain.ts';
import type { ModAddress } from './mod.domain.ts';
import type { Moderation } from './moderation.service.ts';

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

export interface AdminRouteDeps {
  catalog: CatalogRepository;
  moderation: Moderation;
  /** Tells the members of a project what a moderator did. */
  notifyMembers(mod: ModAddress & { id: number }, action: string, reason: string, now: UnixSeconds): Promise<void>;
  linksFor: LinksFor;
}

/** `/admin/mods`: hidden mods, approval and takedown. */
export function createModAdminEndpoints({ catalog, moderation, notifyMembers, linksFor }: AdminRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/mods',
      operationId: 'listHiddenMods',
      summary: 'List hidden mods',
      description: 'Lists mirrored mods that await approval, or mods that were taken down.',
      query: HiddenModsQuery,
      ok: { description: 'A page of mods.', schema: HiddenModsBody },
    }).handle(async ({ query, baseUrl }) => {
      const { mods, total } = requireWholePage(await catalog.listHidden(query.state, query));
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toModBody(mod, links)), count: mods.length, total });
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/mods/{handle}/{slug}/approve',
      operationId: 'approveMod',
      summary: 'Restore a mod',
      description: 'Approves a mirrored mod, or restores one that was taken down. Idempotent.',
      params: ModParams,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The mod.', schema: ModBody },
    }).handle(async ({ params, baseUrl, now }) => {
      const links = linksFor(baseUrl);
      const before = await catalog.find(normalizeAddress(params));
      const mod = await moderation.approve(params, links, now);
      if (before?.takenDownAt != null) await notifyMembers(mod, 'restored', '', now);
      return json(toModBody(mod, links));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/mods/{handle}/{slug}/take-down',
      operationId: 'takeDownMod',
      summary: 'Take a mod down',
      description: 'Hides a mod with its files and images, and mails the reason to the members of the project. Idempotent.',
      params: ModParams,
      body: TakeDownInput,
      bodyIsOptional: true,
      errors: ['not_found'],
      ok: { description: 'The mod.', schema: ModBody },
    }).handle(async ({ params, body, baseUrl, now }) => {
      const before = await catalog.find(normalizeAddress(params));
      const mod = await moderation.takeDown(params, now);
      if (before?.takenDownAt === null) await notifyMembers(mod, 'taken down', body.reason?.trim() ?? '', now);
      return json(toModBody(mod, linksFor(baseUrl)));
    }),
  ];
}
