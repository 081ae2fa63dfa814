import { z } from '@hono/zod-openapi';
import type { SnapshotBody } from '../../platform/area/area.ts';
import { orNull } from '../../platform/http/bodies/body-schemas.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import type { ChangelogSection } from './changelog.domain.ts';

export const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service is running.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Configuration errors that disable part of the service; absent when there are none.' }),
    demo: z.literal(true).optional().openapi({ description: 'True if the service has demo data; absent in production.', example: true }),
    version: z.string().optional().openapi({
      description: 'Id of the deployed version that responded; absent in local runs.',
      example: '7f3c1b5e-0d9a-4f6e-9d80-2f4f7a1b6c55',
    }),
  })
  .openapi('Health', { description: 'State of the service.' });

type Parts = Readonly<Record<string, Pick<SnapshotBody, 'schema' | 'feature'>>>;

/** Query of the snapshot. The areas contribute the parts. */
export function snapshotQuery(parts: Parts) {
  const names = namedValues('SnapshotPart', 'Part of a snapshot.', Object.keys(parts));
  const switches = Object.fromEntries(Object.entries(parts).flatMap(([name, { feature }]) => (feature ? [[name, feature]] : [])));
  return z.object({
    include: nameList(names, {
      description: 'Parts in the requested order. Defaults to all rotations.',
      example: ['server-time', 'corruxion'],
      switches,
    }).optional(),
  });
}

export async function snapshotParts(parts: Parts) {
  const shape = Object.entries(parts).map(async ([name, { schema: load, feature }]) => {
    const schema = await load();
    const part = feature
      ? orNull(schema, 'Body of its own endpoint; null while its feature is switched off.').optional().openapi({ 'x-switch': feature })
      : schema.optional();
    return [name, part];
  });
  return z
    .object({
      parts: z
        .object(Object.fromEntries(await Promise.all(shape)))
        .openapi({ description: 'Bodies by part. Each equals the body of its own endpoint.' }),
    })
    .openapi('Snapshot', { description: 'Several bodies for the same instant.' });
}

const ChangeBody = z
  .object({
    kind: z.string().openapi({ description: 'Added, changed, fixed or removed, in lower case.', example: 'added' }),
    text: z.string().openapi({ description: 'Description of the change in Markdown.', example: '`GET /v1/changelog`.' }),
    breaking: z.boolean().openapi({ description: 'True if clients may require a change.', example: false }),
  })
  .openapi('ApiChange', { description: 'One change.' });

export const ChangelogBody = z
  .object({
    items: z
      .array(
        z
          .object({
            date: z.string().nullable().openapi({ description: 'Day of the release; null while unreleased.', example: '2026-11-22' }),
            changes: z.array(ChangeBody).openapi({ description: 'Changes of the release.' }),
          })
          .openapi('ApiRelease', { description: 'A release of the API.' }),
      )
      .openapi({ description: 'Releases.' }),
    count: z.number().int().openapi({ description: 'Number of releases.', example: 1 }),
  })
  .openapi('Changelog', { description: 'Changes of the API, newest first.' });

export function toChangelogBody(sections: readonly ChangelogSection[]): z.infer<typeof ChangelogBody> {
  const items = sections.map(({ date, changes }) => ({
    date,
    changes: changes.map(({ kind, text, isBreaking }) => ({ kind, text, breaking: isBreaking })),
  }));
  return { items, count: items.length };
}
