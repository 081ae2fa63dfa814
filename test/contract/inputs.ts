import { env } from 'cloudflare:workers';
import { interestItems, supporters } from '../../src/areas/misc/misc.tables.ts';
import { blankDetails } from '../../src/areas/mods-catalog/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert.schemas.ts';
import { createModWrites } from '../../src/areas/mods-catalog/mod-writes.repository.ts';
import type { Endpoint } from '../../src/platform/http/define-route.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { type SampleOverrides, type SampleRequest, sampleRequest } from '../support/samples.ts';
import { EXAMPLE_HEX, fromHex } from '../support/tmod.ts';
import { SEEDED_CURSORS } from './seeds.ts';

let names = 0;

/** A name that no call used before. */
function freshName(): string {
  names += 1;
  return `Name ${names}`;
}

/** A mod that nobody else looks at, to hide and to show. */
async function someMod(): Promise<SampleOverrides> {
  const slug = freshName().toLowerCase().replace(' ', '-');
  const at = { createdAt: 0, updatedAt: 0 };
  const details = blankDetails(slug, 'Ana');
  const write = { address: { handle: 'ana', slug }, details, ...at, before: null, isApproved: false, release: null, announcement: null };
  await createModWrites(createDatabase(env.DB)).save(write);
  return { parameters: { handle: 'ana', slug } };
}

/** A name that is on the list, to take off it. */
async function listedName(list: typeof interestItems | typeof supporters): Promise<SampleOverrides> {
  const name = freshName();
  await createDatabase(env.DB).insert(list).values({ name });
  return { parameters: { name } };
}

/**
 * Input of operations whose documented examples do not lead to a success each time, by operation id. A function is
 * asked before every call: it may store what the call needs, or give each call a name of its own. Prefer an example
 * that works, or a seed that makes it work.
 */
const INPUTS: Readonly<Record<string, SampleOverrides | (() => SampleOverrides | Promise<SampleOverrides>)>> = {
  getDocsVendorFile: { parameters: { file: 'swagger-ui.css' } },
  getLiveFile: { parameters: { file: 'live.css' } },
  listNewsHistory: { optional: { cursor: SEEDED_CURSORS.news } },
  readMod: { raw: { body: fromHex(EXAMPLE_HEX), contentType: 'application/octet-stream' } },
  addInterestItem: () => ({ body: { name: freshName() } }),
  addSupporter: () => ({ body: { name: freshName() } }),
  insertModRelease: () => ({
    body: { handle: 'ana', title: freshName(), release: { tag: '1.0.0', artifact_base64: EXAMPLE_ARTIFACT } },
  }),
  approveMod: someMod,
  takeDownMod: someMod,
  removeInterestItem: () => listedName(interestItems),
  removeSupporter: () => listedName(supporters),
};

/** What replaces the documented examples of an endpoint. */
export async function inputOf({ spec }: Endpoint): Promise<SampleOverrides> {
  const input = INPUTS[spec.operationId] ?? {};
  return typeof input === 'function' ? input() : input;
}

/** The smallest valid request of an endpoint. `extra`: optional parameters to send too. */
export async function validRequest(endpoint: Endpoint, extra: readonly string[] = []): Promise<SampleRequest> {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint), await inputOf(endpoint), extra);
}

/** A request that leads to the endpoint, whether it succeeds there or not. */
export function plainRequest(endpoint: Endpoint): SampleRequest {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint));
}
