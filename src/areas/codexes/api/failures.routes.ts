import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { cutPage, textOfCursor } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { CodexFailuresBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { FailuresQuery } from './queries.schemas.ts';

/** `GET /admin/codexes/failures`. */
export function createFailuresEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    tag: 'Administration',
    access: adminAccess,
    surface: 'portal',
    hidden: true,
    method: 'get',
    path: '/admin/codexes/failures',
    operationId: 'listCodexFailures',
    summary: 'List decoding failures',
    description:
      'Lists the files of a branch that could not be decoded in the newest build, with the reason. Their entries are named after their paths.',
    query: FailuresQuery,
    errors: ['not_found', 'bad_request'],
    ok: { description: 'A page of files.', schema: CodexFailuresBody },
  }).handle(async ({ query: { branch, limit, cursor } }) => {
    const read = await codexes.listFailures(branch, textOfCursor(cursor) ?? '', limit + 1);
    const { rows: items, nextCursor } = cutPage(read, limit, ({ path }) => path);
    return json({ branch, items, count: items.length, next_cursor: nextCursor });
  });
}
