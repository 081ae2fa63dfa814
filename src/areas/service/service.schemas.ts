import { z } from '@hono/zod-openapi';
import type { SnapshotBody } from '../../platform/area.ts';
import { orNull } from '../../platform/http/bodies/body-schemas.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { namedValues } from '../../platform/values/named-values.ts';
import type { ChangelogSection } from './changelog.domain.ts';

export const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service answers.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Mistakes in the configuration that switch a part of the service off; absent when there are none.' }),
    demo: z.literal(true).optional().openapi({ description: 'The data are made up for development; absent in production.', example: true }),
  })
  .openapi('Health', { description: 'State of the service.' });

type Parts = Readonly<Record<string, Pick<SnapshotBody, 'schema' | 'feature'>>>;

/** Parts come from the areas, so the schemas are made for them. */
export function snapshotQuery(parts: Parts) {
  const names = namedValues('SnapshotPart', 'Part of a snapshot.', Object.keys(parts));
  const switches = Object.fromEntries(Object.entries(parts).flatMap(([name, { feature }]) => (feature ? [[name, feature]] : [])));
  return z.object({
    include: nameList(names, {
      description: 'Parts in the order wanted; all rotations when absent.',
      example: ['server-time', 'corruxion'],
      switches,
    }).optional(),
  });
}

export function snapshotParts(parts: Parts) {
  const shape = Object.entries(parts).map(([name, { schema, feature }]) => [
    name,
    feature
      ? orNull(schema, 'Body of its own route; null while it is switched off.').optional().openapi({ 'x-switch': feature })
      : schema.optional(),
  ]);
  return z
    .object({
      parts: z.object(Object.fromEntries(shape)).openapi({ description: 'Each part is exactly the body of its own route.' }),
    })
    .openapi('Snapshot', { description: 'Several bodies of one instant.' });
}

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
