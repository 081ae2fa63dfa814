import { adminAccess, openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import { SHOWN_TTL_SECONDS } from './announcements.data.ts';
import { type Announcement, shownAnnouncement } from './announcements.domain.ts';
import {
  AnnounceInput,
  AnnouncementParams,
  AnnouncementsBody,
  ShownBody,
  toAnnouncementsBody,
  UpdateAnnouncementInput,
} from './announcements.schemas.ts';
import type { AnnouncementsService } from './announcements.service.ts';
import type { AnnouncementsStore } from './announcements.store.ts';

interface AnnouncementRoutesDeps {
  store: Pick<AnnouncementsStore, 'readNewest'>;
  service: Pick<AnnouncementsService, 'change'>;
  /** The announcements for pages, cached in the isolate. */
  find(): Announcement[] | Promise<Announcement[]>;
  /** Makes this isolate read them again. */
  invalidate(): void;
  newId(): string;
}

const administration = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;
const ok = { description: 'All announcements.', schema: AnnouncementsBody };

/** Announcements of superusers, and the one that every page shows. */
export function createAnnouncementEndpoints({ store, service, find, invalidate, newId }: AnnouncementRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      method: 'get',
      path: '/status/announcement',
      operationId: 'getShownAnnouncement',
      tag: 'Service',
      summary: 'Get the shown announcement',
      description: 'Returns the announcement that the header of every page shows. Changes are visible within two minutes.',
      surface: 'portal',
      hidden: true,
      access: openAccess,
      ok: { description: 'The announcement, or nulls.', schema: ShownBody },
    }).handle(async () => {
      const shown = shownAnnouncement(await find());
      return json({ title: shown?.title ?? null, severity: shown?.severity ?? null }, { maxAge: SHOWN_TTL_SECONDS });
    }),

    defineRoute({
      ...administration,
      method: 'get',
      path: '/admin/announcements',
      operationId: 'listAnnouncements',
      summary: 'List announcements',
      description: 'Lists announcements with their updates.',
      ok,
    }).handle(async () => json(toAnnouncementsBody(await store.readNewest()))),

    defineRoute({
      ...administration,
      method: 'post',
      path: '/admin/announcements',
      operationId: 'announce',
      summary: 'Announce an incident',
      description: 'Announces an incident or a planned maintenance on `/status`, in its feed and in the header of every page.',
      body: AnnounceInput,
      errors: ['conflict', 'service_unavailable'],
      ok,
    }).handle(async ({ body, now, baseUrl }) => {
      const { title, text, starts_at: startsAt = now, ends_at: endsAt = null } = body;
      if (endsAt !== null && endsAt <= startsAt) throw badRequest('ends_at must be after starts_at');
      const announcement = { id: newId(), title, severity: body.severity, parts: body.parts, startsAt, endsAt };
      const announcements = await service.change({ kind: 'new', announcement, text, at: now }, baseUrl);
      invalidate();
      return json(toAnnouncementsBody(announcements));
    }),

    defineRoute({
      ...administration,
      method: 'post',
      path: '/admin/announcements/{id}/updates',
      operationId: 'updateAnnouncement',
      summary: 'Update an announcement',
      description: 'Adds an update to an open announcement, and closes it with `closes`.',
      params: AnnouncementParams,
      body: UpdateAnnouncementInput,
      errors: ['not_found', 'conflict', 'service_unavailable'],
      ok,
    }).handle(async ({ params, body, now, baseUrl }) => {
      const announcements = await service.change({ kind: 'update', id: params.id, text: body.text, closes: body.closes, at: now }, baseUrl);
      invalidate();
      return json(toAnnouncementsBody(announcements));
    }),
  ];
}
