import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflated } from '../../../../src/areas/portal/tools/tmod/inflate.domain.ts';
import {
  buildMod,
  type Draft,
  draftOf,
  metadataOf,
  readMod,
  withPath,
  withProperty,
} from '../../../../src/areas/portal/tools/tmod/tmod-tool.domain.ts';
import { gameChecksum } from '../../../../src/game/checksum.domain.ts';
import { MOD_CATEGORIES } from '../../../../src/game/mod-categories.data.ts';
import { happens, pick, type RandomSource, randomBelow, seededRandom } from '../../../../src/platform/kit/random.ts';
import { bearer, call } from '../../../support/requests.ts';
import { containerOf, joined } from '../../../support/tmod.ts';
import { createToken } from '../../../support/tokens.ts';
import { testApp } from '../../platform/test-app.ts';

const RUNS = env.FUZZ_SCALE === undefined ? 50 : 1000;
const MAX_FILES = 12;
const MAX_FILE_BYTES = 70_000;

const fetch = testApp({ settings: {} });
const authorization = bearer(await createToken());

function randomBytes(random: RandomSource, maxLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBelow(random, maxLength));
  // Repeated bytes make streams that compress.
  const kinds = happens(random, 0.5) ? 4 : 256;
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = randomBelow(random, kinds);
  return bytes;
}

function randomDraft(random: RandomSource): Draft<Uint8Array> {
  const files = Array.from({ length: 1 + randomBelow(random, MAX_FILES) }, (_, index) => ({
    path: `${pick(random, ['', 'blueprints/', 'ui/übung/', 'textures/a/b/'])}file${index}.${pick(random, ['png', 'txt', 'blueprint'])}`,
    content: randomBytes(random, pick(random, [1, 30, 4000, MAX_FILE_BYTES])),
  }));
  const properties: [string, string][] = [
    ['title', pick(random, ['Tiny', '日本', "Li'l Größe: Mod?", 'a'])],
    ['author', pick(random, ['Me', 'Me,You', 'É'])],
  ];
  if (happens(random, 0.6)) properties.push(['tags', [pick(random, MOD_CATEGORIES).name, pick(random, MOD_CATEGORIES).name].join(',')]);
  if (happens(random, 0.2)) properties.push(['flags', String(randomBelow(random, 5000))]);
  return { version: pick(random, [1, 1, 2]), properties, files };
}

function bytesOf(draft: Draft<Uint8Array>): Uint8Array<ArrayBuffer> {
  const { length, chunks } = buildMod(draft);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  expect(at).toBe(length);
  return bytes;
}

/** A file of another writer: compressed, cut, in another order, or with a wrong checksum. */
function foreignFile({ files }: Draft<Uint8Array>, random: RandomSource): Uint8Array<ArrayBuffer> {
  const decoded = joined(...files.map(({ content }) => content));
  let offset = 0;
  const entries = files.map(({ path, content }) => {
    const entry = { path, offset, size: content.length, checksum: happens(random, 0.9) ? gameChecksum(content) : 7 };
    offset += content.length;
    return entry;
  });
  const stream = new Uint8Array(deflateSync(decoded, { level: pick(random, [0, 1, 9]) }));
  return containerOf({ entries: happens(random, 0.3) ? entries.toReversed() : entries, properties: [['title', 'Foreign']], stream });
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

async function readByApi(bytes: Uint8Array<ArrayBuffer>, query = '') {
  const { status, text } = await call(
    `/v1/mods/read${query}`,
    { method: 'POST', authorization, body: bytes, headers: { 'Content-Type': 'application/octet-stream' } },
    fetch,
  );
  expect(status, text.slice(0, 300)).toBe(200);
  return JSON.parse(text);
}

describe('/tools/tmod', () => {
  it(`builds and reads ${RUNS} random mods like the API`, { timeout: 900_000 }, async () => {
    const random = seededRandom('tmod tool');
    for (let run = 0; run < RUNS; run += 1) {
      const draft = randomDraft(random);
      const json = {
        version: draft.version,
        properties: Object.fromEntries(draft.properties),
        files: draft.files.map(({ path, content }) => ({ path, content_base64: base64(content) })),
      };
      const built = await call('/v1/mods/build', { method: 'POST', authorization, json }, fetch);
      expect(built.status, built.text.slice(0, 300)).toBe(200);
      const own = bytesOf(draft);
      expect(Buffer.from(own).equals(Buffer.from(built.bytes))).toBe(true);

      for (const bytes of [own, foreignFile(draft, random)]) {
        const read = await readMod(bytes, inflated);
        const expected = await readByApi(bytes);
        expect(metadataOf(read)).toEqual(await readByApi(bytes, '?metadata_only=true'));
        expect(read.files.map(({ content, isValid }) => [base64(joined(...content)), isValid])).toEqual(
          expected.files.map((file: { content_base64: string; checksum_ok: boolean }) => [file.content_base64, file.checksum_ok]),
        );
      }
    }
  });

  it('changes the title of a mod that it read, and keeps its files', async () => {
    const draft = randomDraft(seededRandom('change'));
    const read = await readMod(bytesOf(draft), inflated);
    const edited = draftOf({ ...read, files: read.files.map((file) => ({ ...file, content: joined(...file.content) })) });
    const [first] = edited.files;
    const changed = withPath(withProperty(withProperty(edited, 'title', 'Other'), 'tags', 'Wings'), first?.path ?? '', 'New/Place.TXT');
    const { properties, files, categories } = await readByApi(bytesOf(changed));
    expect([properties.title, properties.modLoader, categories, files[0].path]).toEqual([
      'Other',
      'ServiceAPI',
      ['Wings'],
      'new/place.txt',
    ]);
    expect(files.map(({ content_base64: content }: { content_base64: string }) => content)).toEqual(
      draft.files.map(({ content }) => base64(content)),
    );
  });
});
