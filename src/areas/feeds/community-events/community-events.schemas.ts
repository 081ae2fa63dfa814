import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { DEFAULT_EVENTS, MAX_EVENTS } from '../feeds.data.ts';
import { address, count, text } from '../feeds.schemas.ts';
import { type DatedEvent, EVENT_STATUSES } from './community-events.domain.ts';

export const CommunityEventsQuery = z.object({
  category: z.string().max(200).optional().openapi({ description: 'Only this category (exact match).', example: 'Contest' }),
  limit: integerWithDefault({
    min: 1,
    max: MAX_EVENTS,
    default: DEFAULT_EVENTS,
    description: `Maximum number of events, 1 to ${MAX_EVENTS}.`,
    example: DEFAULT_EVENTS,
  }),
});

const instant = (description: string, example: number) => z.number().int().openapi({ description, example });

const CommunityEventBody = z
  .object({
    event_id: text('Id in the community calendar.', '101'),
    name: text('Name.', 'Spring contest'),
    url: text('URL of the event page; empty if none.', 'https://trovesaurus.com/event=101'),
    category: text('Category, free text from the calendar.', 'Contest'),
    image: address('URL of an image, or null.', null),
    icon: address('URL of an icon, or null.', 'https://trovesaurus.com/images/calendar.png'),
    lookup: z
      .string()
      .nullable()
      .openapi({ description: 'Cross-reference of the calendar (type and number), or null.', example: 'contest=55' }),
    starts_at: instant('Start (unix seconds).', 1_773_140_400),
    ends_at: instant('End, exclusive (unix seconds).', 1_773_399_600),
    status: enumOf(EVENT_STATUSES).openapi({ description: 'Status at the time of the response.', example: 'ongoing' }),
    seconds_until: instant('Seconds until the start (upcoming) or end (ongoing); 0 when ended.', 243_000),
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

export function toCommunityEventsBody(events: readonly DatedEvent[]): z.infer<typeof CommunityEventsBody> {
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
