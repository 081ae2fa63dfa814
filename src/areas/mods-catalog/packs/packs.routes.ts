import type { z } from '@hono/zod-openapi';
import { masterAccess } from '../../../platform/access/policy/policy.ts';
import { parseBigJson } from '../../../platform/http/bodies/big-json.ts';
import { readBytes } from '../../../platform/http/bodies/body.ts';
import type { MemoryPool } from '../../../platform/http/bodies/memory-pool.ts';
import { streamBody } from '../../../platform/http/bodies/stream-body.ts';
import { defineRoute, type Endpoint, type PartSwitch } from '../../../platform/http/pipeline/define-route.ts';
import { validate } from '../../../platform/http/pipeline/validation.ts';
import { attachment } from '../../../platform/http/replies/file-reply.ts';
import { isNotModified } from '../../../platform/http/replies/preconditions.ts';
import { json, type RawReply } from '../../../platform/http/replies/reply.ts';
import { catalogShared, fileShared } from '../catalog/catalog.routes.ts';
import { ModParams } from '../catalog/catalog.schemas.ts';
import { PACK_PREFIX } from '../downloads/downloads.store.ts';
import type { DownloadLog } from '../downloads/files.routes.ts';
import { MAX_INSERT_BYTES, type PackFormat } from '../records/catalog.data.ts';
import { type LinksFor, normalizeModAddress, pathOf } from '../records/mod.domain.ts';
import {
  PackDetailBody,
  PackDownloadQuery,
  PackInsert,
  PackInserted,
  PackListBody,
  PackListQuery,
  PackParams,
  PacksOfModBody,
  toPackBody,
  toPackDetailBody,
  toPackInput,
} from './packs.schemas.ts';
import type { createPacksService } from './packs.service.ts';
import type { PacksStore } from './packs.store.ts';

interface PackRouteDeps {
  packs: Pick<PacksStore, 'list' | 'listWithMod'>;
  service: ReturnType<typeof createPacksService>;
  downloads: DownloadLog;
  memory: MemoryPool;
  linksFor: LinksFor;
}

/** Name of the insert in cooldown settings and in the insert log. */
const NAME = 'modpacks';
/** The body, and its decoded files. */
const MEMORY_FACTOR = 2;
/** Memory of a download: chunks of the file, of the response, and the header. */
const DOWNLOAD_BYTES = 1024 * 1024;
/** A download follows new releases of its mods. */
const DOWNLOAD_CACHE = 'public, max-age=300';
const NOT_MODIFIED = 304;
const CONTENT_TYPES: Readonly<Record<PackFormat, string>> = { tpack: 'application/octet-stream', zip: 'application/zip' };

const part: PartSwitch = { name: 'packs', isOn: ({ modpacksEnabled }) => modpacksEnabled };

/** Endpoints of packs. Fixed paths come before those with parameters. */
export function createPackEndpoints({ packs, service, downloads, memory, linksFor }: PackRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...catalogShared,
      part,
      method: 'get',
      path: '/v1/modpacks',
      operationId: 'listModpacks',
      summary: 'List packs of mods',
      description: 'Lists public packs of mods. `q` is literal text, case-insensitive.',
      query: PackListQuery,
      ok: { description: 'A page of packs.', schema: PackListBody },
    }).handle(async ({ query, baseUrl }) => {
      const { packs: listed, total } = await packs.list(query);
      const links = linksFor(baseUrl);
      const { limit, offset } = query;
      return json({ items: listed.map((pack) => toPackBody(pack, links)), count: listed.length, total, limit, offset });
    }),

    defineRoute({
      ...catalogShared,
      part,
      method: 'get',
      path: '/v1/modpacks/for-mod/{handle}/{slug}',
      operationId: 'listModpacksWithMod',
      summary: 'List packs with a mod',
      description: 'Lists public packs with a mod, most downloads first, at most 60. Empty for an unknown mod.',
      params: ModParams,
      ok: { description: 'The packs.', schema: PacksOfModBody },
    }).handle(async ({ params, baseUrl }) => {
      const links = linksFor(baseUrl);
      const items = (await packs.listWithMod(normalizeModAddress(params))).map((pack) => toPackBody(pack, links));
      return json({ items, count: items.length });
    }),

    defineRoute({
      method: 'post',
      path: '/v1/modpacks/insert',
      operationId: 'insertModpack',
      tag: 'Mods',
      summary: 'Publish a pack',
      description:
        'Creates or updates a pack of mods. Omitted fields of an existing pack are unchanged. Returns 409 if two mods of a variant have the same title or contain the same file, except for their preview image.',
      access: masterAccess(NAME),
      log: NAME,
      feature: 'featureModsHubEnabled',
      part,
      rawBody: { contentTypes: ['application/json'], description: 'The pack.', schema: PackInsert },
      bodyLimit: MAX_INSERT_BYTES,
      memory: MEMORY_FACTOR,
      errors: ['validation_error', 'service_unavailable'],
      ok: { description: 'Stored.', schema: PackInserted },
    }).handle(async ({ request, reserve, baseUrl, now }) => {
      const body = parseBigJson(await readBytes(request, MAX_INSERT_BYTES, reserve), request.headers.get('Content-Type'));
      const stored = await service.insert(toPackInput(validate(PackInsert, 'body', body) as z.output<typeof PackInsert>), now);
      const summary = `${stored.isNew ? 'new pack' : 'pack'} ${pathOf(stored.pack)}, ${stored.pack.variantCount} variants`;
      return json({ ok: true, pack: toPackDetailBody(stored, linksFor(baseUrl)) } as const, { outcome: { summary } });
    }),

    defineRoute({
      ...fileShared,
      part,
      method: 'get',
      path: '/v1/modpacks/{handle}/{slug}/download',
      operationId: 'downloadModpack',
      summary: 'Download a pack',
      description:
        'Downloads the available mods of a variant in one file, with a manifest. Returns 400 if none is available. The ETag changes with the releases of the mods.',
      params: PackParams,
      query: PackDownloadQuery,
      errors: ['not_found', 'bad_request', 'service_unavailable'],
      ok: { contentTypes: Object.values(CONTENT_TYPES), description: 'The file.' },
    }).handle(async ({ params, query, request, now, waitUntil }): Promise<RawReply> => {
      const { pack, filename, etag, open } = await service.download(normalizeModAddress(params), query.variant, query.format);
      const headers = { 'Content-Disposition': attachment(filename), 'Cache-Control': DOWNLOAD_CACHE };
      const base = { kind: 'raw', contentType: CONTENT_TYPES[query.format], etag, headers } as const;
      if (isNotModified(request, { etag })) return { ...base, body: null, status: NOT_MODIFIED };
      if (request.method === 'HEAD') return { ...base, body: null };
      const reservation = memory.open(request.signal);
      try {
        reservation.grow(DOWNLOAD_BYTES);
        const { length, chunks } = await open(waitUntil);
        const onEnd = () => waitUntil(downloads.record(`${PACK_PREFIX}${pack.id}`, request.headers.get('CF-Connecting-IP'), now));
        return { ...base, body: streamBody(chunks, { length, reservation, onEnd, waitUntil }) };
      } catch (error) {
        reservation.release();
        throw error;
      }
    }),

    defineRoute({
      ...catalogShared,
      part,
      method: 'get',
      path: '/v1/modpacks/{handle}/{slug}',
      operationId: 'getModpack',
      summary: 'Get a pack',
      description: 'Returns a public or unlisted pack with its variants and the release of each mod that a download contains.',
      params: PackParams,
      errors: ['not_found'],
      ok: { description: 'The pack.', schema: PackDetailBody },
    }).handle(async ({ params, baseUrl }) => json(toPackDetailBody(await service.detail(normalizeModAddress(params)), linksFor(baseUrl)))),
  ];
}
