import { z } from '@hono/zod-openapi';
import { publicAccess, STANDARD_GROUP } from '../../platform/access/policy/policy.ts';
import type { Scope } from '../../platform/access/policy/scopes.ts';
import type { SnapshotBody } from '../../platform/area/area.ts';
import { orNull } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import { createResponseSize } from '../../platform/http/replies/response-size.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

export async function createSnapshotEndpoint(parts: Readonly<Record<string, SnapshotBody>>): Promise<Endpoint> {
  const names = Object.keys(parts);
  const defaults = names.filter((name) => parts[name]?.isDefault);
  const query = snapshotQuery(parts);
  const schema = await snapshotParts(parts);

  return defineRoute({
    method: 'get',
    path: '/v1/snapshot',
    operationId: 'getSnapshot',
    tag: 'Service',
    summary: 'Get a snapshot',
    description:
      'Returns several rotation bodies for the same instant and counts as one request. Each part is byte-identical to the body of its own endpoint, or null while its feature is switched off.',
    access: publicAccess('rotations:read', STANDARD_GROUP, (query) => scopesOf(parts, query.get('include'))),
    query,
    ok: { description: 'The parts in the requested order.', schema },
  }).handle(async ({ query: { include }, now, settings, baseUrl }) => {
    const partNames = include ?? defaults;
    const bodies = await Promise.all(
      partNames.map(async (name): Promise<[string, Representation | null]> => {
        const part = parts[name];
        const isEnabled = part && (part.feature === undefined || settings[part.feature]);
        return [name, isEnabled ? await part.source(now, settings, baseUrl) : null];
      }),
    );
    const counted = createResponseSize('query', 'include');
    for (const [, body] of bodies) counted(body?.text ?? '');
    const assemble = (textOf: (body: Representation) => string) =>
      `{"parts":{${bodies.map(([name, body]) => `${JSON.stringify(name)}:${body ? textOf(body) : 'null'}`).join(',')}}}`;
    return { kind: 'json', text: assemble((body) => body.text), state: assemble((body) => body.etag ?? body.state ?? body.text) };
  });
}

/** Scopes of the requested parts. Ignores unknown names, which validation rejects later. */
function scopesOf(parts: Readonly<Record<string, SnapshotBody>>, include: string | null): Scope[] {
  const scopes = (include ?? '').split(',').flatMap((name) => parts[name.trim()]?.scope ?? []);
  return [...new Set(scopes)];
}

type Parts = Readonly<Record<string, Pick<SnapshotBody, 'schema' | 'feature'>>>;

/** Query of the snapshot. The areas contribute the parts. */
function snapshotQuery(parts: Parts) {
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

async function snapshotParts(parts: Parts) {
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
