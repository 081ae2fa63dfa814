import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type LinksFor, type Mod, type ModAddress, type ModLinks, normalizeModAddress } from '../records/mod.domain.ts';
import { historyOf, modReleaseData } from '../records/mod-release-event.domain.ts';
import type { Announcements, ModerationNotice, ModWrites } from '../records/mod-writes.store.ts';
import { HiddenModsBody, HiddenModsQuery, ModBody, ModParams, TakeDownInput, toListedModBody, toModBody } from './catalog.schemas.ts';
import type { CatalogStore } from './catalog.store.ts';

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

interface ModerationDeps {
  catalog: CatalogStore;
  writes: ModWrites;
  announcements: Pick<Announcements, 'deliver'>;
  /** What tells the members of a project about a moderator's decision. */
  noticeToMembers(mod: ModAddress & { id: number }, action: string, reason: string, now: UnixSeconds): Promise<ModerationNotice>;
  linksFor: LinksFor;
}

/** `/admin/mods`: hidden mods, approval and takedown. */
export function createModerationEndpoints({ catalog, writes, announcements, noticeToMembers, linksFor }: ModerationDeps): Endpoint[] {
  const moderation = createModeration(catalog, writes, announcements, noticeToMembers);
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
      const { mods, total } = await catalog.listHidden(query.state, query);
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toListedModBody(mod, links)), count: mods.length, total });
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
      return json(toModBody(await moderation.approve(params, links, now), links));
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
      const mod = await moderation.takeDown(params, body.reason?.trim() ?? '', now);
      return json(toModBody(mod, linksFor(baseUrl)));
    }),
  ];
}

/** Attempts of an approval with concurrent inserts. */
const MAX_ATTEMPTS = 5;

/** Moderation of mods. Throws 404 for an unknown mod. */
export function createModeration(
  catalog: CatalogStore,
  writes: ModWrites,
  announcements: Pick<Announcements, 'deliver'>,
  noticeToMembers: ModerationDeps['noticeToMembers'],
) {
  async function findMod(address: ModAddress): Promise<Mod> {
    const mod = await catalog.find(normalizeModAddress(address));
    if (!mod) throw notFound('mod not found');
    return mod;
  }

  return {
    /**
     * Makes a pending or taken-down mod visible. For a pending mod, sends the events of its releases that are not silent. Throws 409 after
     * concurrent changes.
     */
    async approve(address: ModAddress, links: ModLinks, now: UnixSeconds): Promise<Mod> {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const mod = await findMod(address);
        if (mod.isApproved && mod.takenDownAt === null) return mod;
        const isNews = !mod.isApproved && mod.visibility === 'public';
        const releases = isNews ? ((await catalog.listReleases([mod.id])).get(mod.id) ?? []) : [];
        const pending = releases
          .filter(({ isSilent, announcedAt }) => !isSilent && (announcedAt ?? null) === null)
          .map((release) => ({ releaseId: release.id, data: modReleaseData(mod, release, historyOf(release, releases), links) }));
        const notice = mod.takenDownAt === null ? null : await noticeToMembers(mod, 'restored', '', now);
        if (!(await writes.approve(mod, now, pending, notice?.statements() ?? []))) continue;
        await notice?.send();
        for (const { releaseId } of pending) await announcements.deliver(releaseId, { now });
        return findMod(address);
      }
      throw new ApiError('conflict', 'the mod was changed concurrently; repeat the request');
    },

    async takeDown(address: ModAddress, reason: string, now: UnixSeconds): Promise<Mod> {
      const mod = await findMod(address);
      const notice = await noticeToMembers(mod, 'taken down', reason, now);
      if (await writes.takeDown(mod, now, notice.statements)) await notice.send();
      return findMod(address);
    },
  };
}
