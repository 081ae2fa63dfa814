import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { DEFAULT_EVENTS, MAX_EVENTS } from '../feeds.data.ts';
import { address, count, text } from '../feeds.schemas.ts';
import { type DatedEvent, EVENT_STATUSES } from './community-events.domain.ts';

export const CommunityEventsQuery = z.object({
  category: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: 'Only this category, spelt exactly so; an unknown one has no events.', example: 'Contest' }),
  limit: integerWithDefault({
    min: 1,
    max: MAX_EVENTS,
    default: DEFAULT_EVENTS,
    description: `Events wanted, 1 to ${MAX_EVENTS}.`,
    example: DEFAULT_EVENTS,
  }),
});

const instant = (description: string, example: number) => z.number().int().openapi({ description, example });

const CommunityEventBody = z
  .object({
    event_id: text('Id in the community calendar.', '101'),
    name: text('Name.', 'Spring contest'),
    url: text('Address of its page; empty when there is none.', 'https://trovesaurus.com/event=101'),
    category: text('Category: free text of the calendar.', 'Contest'),
    image: address('Address of a picture, or null.', null),
    icon: address('Address of an icon, or null.', 'https://trovesaurus.com/images/calendar.png'),
    lookup: z
      .string()
      .nullable()
      .openapi({ description: "The calendar's own cross-reference, kind and number, or null.", example: 'contest=55' }),
    starts_at: instant('First second (unix seconds).', 1_773_140_400),
    ends_at: instant('First second after it (unix seconds).', 1_773_399_600),
    status: enumOf(EVENT_STATUSES).openapi({ description: 'As of this moment.', example: 'ongoing' }),
    seconds_until: instant('To the start when upcoming, to the end when ongoing, 0 when ended.', 243_000),
  })
  .openapi('CommunityEvent', { description: 'An event of the community calendar.' });

export const CommunityEventsBody = z
  .object({ items: z.array(CommunityEventBody).openapi({ description: 'In the order that the endpoint states.' }), count })
  .openapi('CommunityEvents', { description: 'Events of the community calendar.' });

export const EventCategoriesBody = z
  .object({
    categories: z.array(z.string()).openapi({ description: 'Every category of a stored event, ascending.', example: ['Contest', 'Event'] }),
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
