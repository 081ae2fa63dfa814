import { z } from '@hono/zod-openapi';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import type { ChangelogSection } from './changelog.domain.ts';

export const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service answers.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Mistakes in the configuration that switch a part of the service off; absent when there are none.' }),
  })
  .openapi('Health', { description: 'State of the service.' });

/** Names come from the areas, so the schema is made for them. */
export function snapshotQuery(names: readonly string[]) {
  return z.object({
    include: nameList(names, {
      description: `Comma-separated parts in the order wanted; all rotations when absent. Parts: ${names.join(', ')}.`,
      example: 'server-time,corruxion',
    }).optional(),
  });
}

export const SnapshotParts = z
  .object({
    parts: z.record(z.string(), z.unknown()).openapi({
      description: 'Each part is exactly the body of its own route; null for one that is switched off.',
      example: { 'server-time': {} },
    }),
  })
  .openapi('Snapshot', { description: 'Several bodies of one instant.' });

const ChangeBody = z
  .object({
    kind: z.string().openapi({ description: 'Added, changed, fixed or removed, in lower case.', example: 'added' }),
    text: z.string().openapi({ description: 'What changed, in Markdown.', example: '`GET /v1/changelog`.' }),
    breaking: z.boolean().openapi({ description: 'Clients may have to follow.', example: false }),
  })
  .openapi('ApiChange', { description: 'One change.' });

export const ChangelogBody = z
  .object({
    items: z
      .array(
        z
          .object({
            date: z.string().nullable().openapi({ description: 'Day of the release; null while unreleased.', example: '2026-11-22' }),
            changes: z.array(ChangeBody).openapi({ description: 'Its changes.' }),
          })
          .openapi('ApiRelease', { description: 'A release of the API.' }),
      )
      .openapi({ description: 'Its releases.' }),
    count: z.number().int().openapi({ description: 'Number of releases.', example: 1 }),
  })
  .openapi('Changelog', { description: 'What changed in the API, newest first.' });

export function toChangelogBody(sections: readonly ChangelogSection[]): z.infer<typeof ChangelogBody> {
  const items = sections.map(({ date, changes }) => ({
    date,
    changes: changes.map(({ kind, text, isBreaking }) => ({ kind, text, breaking: isBreaking })),
  }));
  return { items, count: items.length };
}
