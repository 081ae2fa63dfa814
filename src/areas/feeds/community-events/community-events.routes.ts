import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { communityEventsBody, withAge } from '../feeds.bodies.ts';
import type { EventStatus } from './community-events.domain.ts';
import { CommunityEventsBody, CommunityEventsQuery, EventCategoriesBody } from './community-events.schemas.ts';
import type { CommunityEventsService } from './community-events.service.ts';

const shared = { method: 'get', tag: 'Feeds', access: publicAccess('feeds:read') } as const;

interface EventList {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  status: EventStatus;
}

const LISTS: readonly EventList[] = [
  {
    path: '/v1/feeds/events',
    operationId: 'listOngoingEvents',
    summary: 'List ongoing community events',
    description: 'Lists ongoing events of the community calendar, earliest end first.',
    status: 'ongoing',
  },
  {
    path: '/v1/feeds/events/upcoming',
    operationId: 'listUpcomingEvents',
    summary: 'List upcoming community events',
    description: 'Lists upcoming events of the community calendar, earliest start first.',
    status: 'upcoming',
  },
  {
    path: '/v1/feeds/events/history',
    operationId: 'listEndedEvents',
    summary: 'List past community events',
    description: 'Lists ended events of the community calendar, latest first. Events are never deleted.',
    status: 'ended',
  },
];

/** Endpoints of the community calendar: lists by status, and categories. */
export function createCommunityEventEndpoints(events: CommunityEventsService): Endpoint[] {
  const lists = LISTS.map(({ status, ...described }) =>
    defineRoute({
      ...shared,
      ...described,
      query: CommunityEventsQuery,
      ok: { description: 'The events.', schema: CommunityEventsBody },
    }).handle(async ({ query, now }) => {
      const list = await events.list({ status, category: query.category || null, limit: query.limit }, now);
      return communityEventsBody(list, now);
    }),
  );
  const categories = defineRoute({
    ...shared,
    path: '/v1/feeds/events/categories',
    operationId: 'listEventCategories',
    summary: 'List community event categories',
    description: 'Lists the categories of all stored events, ascending. Categories are free text from the calendar.',
    ok: { description: 'The categories.', schema: EventCategoriesBody },
  }).handle(async ({ now }) => {
    const { categories, fetchedAt } = await events.categories(now);
    return withAge(json({ categories, count: categories.length }), fetchedAt, now);
  });
  return [...lists, categories];
}
