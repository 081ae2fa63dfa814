import type { z } from '@hono/zod-openapi';
import { masterAccess } from '../../../platform/access/policy/policy.ts';
import { parseBigJson } from '../../../platform/http/bodies/big-json.ts';
import { type Reserve, readBytes } from '../../../platform/http/bodies/body.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { validate } from '../../../platform/http/pipeline/validation.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { MAX_INSERT_BYTES } from '../records/catalog.data.ts';
import type { LinksFor } from '../records/mod.domain.ts';
import { ModInsert, ModInserted, toInsertedBody, toInsertInput } from './insert.schemas.ts';
import type { InsertInput, InsertService } from './insert.service.ts';

/** Name of the insert in cooldown settings and in the insert log. */
const NAME = 'mods';
/** The body, and its decoded files. */
const MEMORY_FACTOR = 2;

export interface InsertRouteDeps {
  service: InsertService;
  linksFor: LinksFor;
}

const DESCRIPTION = `Creates or updates a mod and adds a release. Omitted fields of an existing mod are unchanged.

The file of a \`tmod\` release is validated; an invalid one returns 400. An existing release (same branch and tag) returns 409 unless it is a draft, which is replaced. A file that another handle has published returns 409.

Publishing a release of a public mod sends the event \`mod_release\` once, unless \`silent\`.`;

/** `POST /v1/mods/insert`. */
export function createInsertEndpoint({ service, linksFor }: InsertRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/mods/insert',
    operationId: 'insertModRelease',
    tag: 'Mods',
    summary: 'Publish a mod',
    description: DESCRIPTION,
    access: masterAccess(NAME),
    log: NAME,
    feature: 'featureModsHubEnabled',
    rawBody: { contentTypes: ['application/json'], description: 'The mod and the release.', schema: ModInsert },
    bodyLimit: MAX_INSERT_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'Stored.', schema: ModInserted },
  }).handle(async ({ request, reserve, baseUrl, now }) => {
    const links = linksFor(baseUrl);
    const result = await service.insert(await readInput(request, reserve), links, now);
    return json(toInsertedBody(result, links), { outcome: { summary: result.summary, hiddenCharacters: result.hiddenCharacters } });
  });
}

async function readInput(request: Request, reserve: Reserve): Promise<InsertInput> {
  const body = parseBigJson(await readBytes(request, MAX_INSERT_BYTES, reserve), request.headers.get('Content-Type'));
  return toInsertInput(validate(ModInsert, 'body', body) as z.output<typeof ModInsert>);
}
