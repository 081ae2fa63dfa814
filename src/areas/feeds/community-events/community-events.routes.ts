import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { enumOf, integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { address, count, withAge } from '../feeds.schemas.ts';
import { type DatedEvent, DEFAULT_EVENTS, EVENT_STATUSES, type EventStatus, MAX_EVENTS } from './community-events.domain.ts';
import type { CommunityEventsService, EventList } from './community-events.service.ts';

const CommunityEventsQuery = z.object({
  category: z.string().max(200).optional().openapi({ description: 'Only this category (exact match).', example: 'Contest' }),
  limit: integerWithDefault({
    min: 1,
    max: MAX_EVENTS,
    default: DEFAULT_EVENTS,
    description: `Maximum number of events, 1 to ${MAX_EVENTS}.`,
    example: DEFAULT_EVENTS,
  }),
});

const CommunityEventBody = z
  .object({
    event_id: string('Id in the community calendar.', '101'),
    name: string('Name.', 'Spring contest'),
    url: string('URL of the event page; empty if none.', 'https://trovesaurus.com/event=101'),
    category: string('Category, free text from the calendar.', 'Contest'),
    image: address('URL of an image, or null.', null),
    icon: address('URL of an icon, or null.', 'https://trovesaurus.com/images/calendar.png'),
    lookup: z
      .string()
      .nullable()
      .openapi({ description: 'Cross-reference of the calendar (type and number), or null.', example: 'contest=55' }),
    starts_at: integer('Start (unix seconds).', 1_773_140_400),
    ends_at: integer('End, exclusive (unix seconds).', 1_773_399_600),
    status: enumOf(EVENT_STATUSES).openapi({ description: 'Status at the time of the response.', example: 'ongoing' }),
    seconds_until: integer('Seconds until the start (upcoming) or end (ongoing); 0 when ended.', 243_000),
  })
  .openapi('CommunityEvent', { description: 'An event of the community calendar.' });

export const CommunityEventsBody = z
  .object({ items: z.array(CommunityEventBody).openapi({ description: 'Events in the order of the endpoint.' }), count })
  .openapi('CommunityEvents', { description: 'Events of the community calendar.' });

export const EventCategoriesBody = z
  .object({
    categories: z.array(z.string()).openapi({ description: 'Categories of all stored events, ascending.', example: ['Contest', 'Event'] }),
    count: z.number().int().openapi({ description: 'Number of categories.', example: 2 }),
  })
  .openapi('EventCategories', { description: 'The categories of community events.' });

function toCommunityEventsBody(events: readonly DatedEvent[]): z.infer<typeof CommunityEventsBody> {
  const items = events.map(({ eventId, name, url, category, image, icon, lookup, startsAt, endsAt, status, secondsUntil }) => ({
    event_id: eventId,
    name,
    url,
    category,
    image,
    icon,
    lookup,
    starts_at: startsAt,
    ends_at: endsAt,
    status,
    seconds_until: secondsUntil,
  }));
  return { items, count: items.length };
}

const shared = { method: 'get', tag: 'Feeds', access: publicAccess('feeds:read') } as const;

interface ListRoute {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  status: EventStatus;
}

const LISTS: readonly ListRoute[] = [
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

/** Serialized list of events. The ETag ignores the countdowns, which change every second. */
function communityEventsBody({ events, fetchedAt }: EventList, now: UnixSeconds) {
  const body = toCommunityEventsBody(events);
  const state = JSON.stringify(body.items.map(({ seconds_until: _secondsUntil, ...rest }) => rest));
  return withAge<typeof body>({ kind: 'json', text: JSON.stringify(body), state }, fetchedAt, now);
}
