import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { decodeParts, encodeParts } from '../../../platform/http/replies/keyset-cursor.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { CodexFailuresBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { FailuresQuery } from './queries.schemas.ts';

/** `/admin/codexes/failures`: what the index of a branch could not read. */
export function createFailuresEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    tag: 'Administration',
    access: adminAccess,
    surface: 'portal',
    hidden: true,
    method: 'get',
    path: '/admin/codexes/failures',
    operationId: 'listCodexFailures',
    summary: 'Files that could not be decoded',
    description: 'Files of a branch that the newest build could not decode, and why: their entries are named from their paths.',
    query: FailuresQuery,
    errors: ['not_found', 'bad_request'],
    ok: { description: 'A page of the files.', schema: CodexFailuresBody },
  }).handle(async ({ query: { branch, limit, cursor } }) => {
    const after = cursor === undefined ? '' : String(decodeParts(cursor, ['string'])[0]);
    const rows = await codexes.failures(branch, after, limit + 1);
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return json({ branch, items, count: items.length, next_cursor: last ? encodeParts([last.path]) : null });
  });
}
