import type { z } from '@hono/zod-openapi';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import type { AnnouncementEventBody } from './announcements.schemas.ts';
import { PARTS } from './status.data.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    announcement: z.infer<typeof AnnouncementEventBody>;
  }
}

/** A change of an announcement of the operator. */
export const announcementEvent: EventDeclaration<'announcement'> = {
  type: 'announcement',
  isDiscrete: true,
  isOnRequest: true,
  label: 'Service announcements',
  summary: 'The operator announced an incident or a maintenance of this service',
  hint: 'an announcement about this service, its updates and its end',
  sample: (now) => ({
    id: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11',
    change: 'posted',
    title: 'The event stream is delayed',
    severity: 'degraded',
    parts: ['stream'],
    text: 'We look for the cause.',
    changed_at: now,
    starts_at: now,
    ends_at: now + SECONDS_PER_HOUR,
    url: 'https://api.example.com/status#announcements',
  }),
  chat: {
    text: {
      title: '{title}',
      url: '{url}',
      description: '{text}',
      color: '#F2A33C',
      fields: [
        ['Status', '{change}'],
        ['Severity', '{severity}'],
        ['Affected', '{parts}'],
        ['Start', '{starts_at:f}'],
      ],
    },
    variablesOf: ({ id, change, title, severity, parts, text, starts_at: startsAt, ends_at: endsAt, url }) => ({
      id,
      change,
      title,
      severity,
      parts: parts.map((part) => (Object.hasOwn(PARTS, part) ? PARTS[part as keyof typeof PARTS] : part)).join(', '),
      text,
      starts_at: startsAt,
      ends_at: endsAt,
      url,
    }),
  },
};
