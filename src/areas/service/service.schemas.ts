import { z } from '@hono/zod-openapi';
import type { SnapshotBody } from '../../platform/area.ts';
import { orNull } from '../../platform/http/bodies/body-schemas.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { namedValues } from '../../platform/values/named-values.ts';

export const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service answers.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Mistakes in the configuration that switch a part of the service off; absent when there are none.' }),
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
