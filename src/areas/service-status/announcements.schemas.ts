import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { ANNOUNCEMENT_CHANGES, MAX_ANNOUNCEMENT_TEXT, MAX_ANNOUNCEMENT_TITLE, SEVERITIES } from './announcements.data.ts';
import type { Announcement } from './announcements.domain.ts';
import { PART_NAMES, type PartName } from './status.domain.ts';

const EXAMPLE_ID = '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11';
const EXAMPLE_TEXT = 'We found the cause and are rolling back.';
const seconds = (description: string) => z.number().int().openapi({ description, example: 1_773_156_600 });
const severity = namedEnum('AnnouncementSeverity', 'Severity of an announcement.', SEVERITIES).openapi({
  description: 'Severity, from harmless to severe.',
  example: 'degraded',
});
const parts = z
  .array(z.enum(PART_NAMES as [PartName, ...PartName[]]).openapi({ example: 'stream' }))
  .max(PART_NAMES.length)
  .openapi({ description: 'Affected parts.', example: ['stream'] });
const partNames = z.array(z.string().openapi({ example: 'stream' })).openapi({ description: 'Affected parts.', example: ['stream'] });
const writtenText = severalLines(z.string().trim().min(1).max(MAX_ANNOUNCEMENT_TEXT)).openapi({
  description: 'Text of the update, up to 1000 characters.',
  example: EXAMPLE_TEXT,
});
const writtenTitle = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ANNOUNCEMENT_TITLE)
  .openapi({ description: 'Title, shown in the header of every page, up to 120 characters.', example: 'The event stream is delayed' });
const MAX_TIME = 4_102_444_800;
const time = (description: string) => z.number().int().min(0).max(MAX_TIME).optional().openapi({ description, example: 1_773_156_600 });

export const AnnouncementBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the announcement.', example: EXAMPLE_ID }),
    title: z.string().openapi({ description: 'Title.', example: 'The event stream is delayed' }),
    severity,
    parts: partNames,
    starts_at: seconds('Start of the incident or of the planned maintenance.'),
    ends_at: seconds('Planned end; null when it is not known.').nullable(),
    closed_at: seconds('When it was closed; null while open.').nullable(),
    updates: z
      .array(
        z
          .object({ at: seconds('Time of the update.'), text: z.string().openapi({ description: 'Text.', example: EXAMPLE_TEXT }) })
          .openapi('AnnouncementUpdate', { description: 'What the operator wrote at a time.' }),
      )
      .openapi({ description: 'Newest first.' }),
  })
  .openapi('ServiceAnnouncement', { description: 'An incident or a planned maintenance in the words of the operator.' });

export const AnnouncementsBody = z
  .object({
    items: z.array(AnnouncementBody).openapi({ description: 'Newest first, at most 50.' }),
    count: z.number().int().openapi({ description: 'Number of items.', example: 1 }),
  })
  .openapi('ServiceAnnouncements');

/** Body of the event `announcement`, created by `toAnnouncementEventBody`. */
export const AnnouncementEventBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the announcement.', example: EXAMPLE_ID }),
    change: namedEnum('AnnouncementChange', 'What happened to an announcement.', ANNOUNCEMENT_CHANGES).openapi({
      description: '`posted` for a new announcement, `updated` for a further text, `ended` for the last one.',
      example: 'posted',
    }),
    title: z.string().openapi({ description: 'Title.', example: 'The event stream is delayed' }),
    severity,
    parts: partNames,
    text: z.string().openapi({ description: 'Text of this change, up to 1000 characters.', example: EXAMPLE_TEXT }),
    changed_at: seconds('Time of this change.'),
    starts_at: seconds('Start of the incident or of the planned maintenance.'),
    ends_at: seconds('Planned end; null when it is not known.').nullable(),
    url: z.string().openapi({ description: 'Page with all announcements.', example: 'https://api.example.com/status#announcements' }),
  })
  .openapi('AnnouncementEvent', { description: 'A change of an announcement of the operator.' });

export const ShownBody = z
  .object({
    title: z.string().nullable().openapi({ description: 'Title of the open announcement; null without one.', example: null }),
    severity: severity.nullable(),
  })
  .openapi('ShownAnnouncement');

export const AnnounceInput = z
  .object({
    title: writtenTitle,
    severity,
    parts,
    text: writtenText,
    starts_at: time('Start of a planned maintenance in Unix seconds; absent: now.'),
    ends_at: time('Planned end in Unix seconds, after the start.'),
  })
  .openapi('Announce');
export const UpdateAnnouncementInput = z
  .object({ text: writtenText, closes: z.boolean().default(false).openapi({ description: 'Whether it is over.', example: false }) })
  .openapi('UpdateAnnouncement');
export const AnnouncementParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the announcement.', example: EXAMPLE_ID }),
});

export const toAnnouncementBody = ({ startsAt, endsAt, closedAt, ...rest }: Announcement): z.infer<typeof AnnouncementBody> => ({
  ...rest,
  starts_at: startsAt,
  ends_at: endsAt,
  closed_at: closedAt,
});
export const toAnnouncementsBody = (announcements: readonly Announcement[]) => ({
  items: announcements.map(toAnnouncementBody),
  count: announcements.length,
});
