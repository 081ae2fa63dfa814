import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBuildRequest } from '../../../src/areas/mods/build-request.domain.ts';
import { pathProblem } from '../../../src/areas/mods/packed-path.domain.ts';
import { buildTmod } from '../../../src/areas/mods/tmod-layout.domain.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { type ReadResult, readTmod } from './reading.ts';

interface Request {
  version: number;
  properties: [string, string][];
  files: { path: string; content: Uint8Array }[];
}

const wellFormed = fc.string({ unit: anyCodePoint, maxLength: 12 }).map((text) => text.toWellFormed());
const name = fc.oneof(fc.constantFrom('title', 'author', 'tags', 'flags', 'modLoader', '__proto__', '1', '0', ''), wellFormed);
const value = fc.oneof(fc.constantFrom('Wings', 'wings,MOUNTS', '8192', ' 5 ', 'x'), wellFormed);
const segment = fc.oneof(fc.stringMatching(/^[a-z0-9 _.é模-]{1,12}$/), wellFormed);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/').toLowerCase());
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // Sizes of one to three bytes, and beyond 64 KiB, which are few because they take most of the time.
  fc
    .oneof(
      { weight: 4, arbitrary: fc.nat(400) },
      { weight: 2, arbitrary: fc.nat(20_000) },
      { weight: 1, arbitrary: fc.integer({ min: 65_500, max: 70_000 }) },
    )
    .map((length) => new Uint8Array(length).fill(length)),
);

const request: fc.Arbitrary<Request> = fc.record({
  version: fc.nat({ max: 65_535 }),
  properties: fc.uniqueArray(fc.tuple(name, value), { maxLength: 6, selector: ([key]) => key }),
  files: fc.uniqueArray(fc.record({ path: path.filter((text) => text.toLowerCase() === text && pathProblem(text) === null), content }), {
    minLength: 1,
    maxLength: 6,
    selector: (file) => file.path,
  }),
});

/** Serialised by hand, because an object would move numeric names to the front. */
function textOf({ version, properties, files }: Request): string {
  const named = properties.map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`).join(',');
  const list = files.map((file) => ({ path: file.path, content_base64: Buffer.from(file.content).toString('base64') }));
  return `{"version":${version},"properties":{${named}},"files":${JSON.stringify(list)}}`;
}

const build = (text: string) => buildTmod(readBuildRequest(new TextEncoder().encode(text)));

/** Properties of a built file. */
function expectedProperties(properties: [string, string][]): Record<string, string> {
  const all = new Map(properties).set('modLoader', 'ServiceAPI');
  const names = (all.get('tags') ?? '')
    .toLowerCase()
    .split(',')
    .map((tag) => tag.trim());
  const flags = (names.includes('wings') ? 8192 : 0) + (names.includes('mounts') ? 2048 : 0);
  if (flags > 0 && !all.has('flags')) all.set('flags', String(flags));
  return Object.fromEntries(all);
}

describe('round trips', () => {
  it('read after build returns the input with modLoader and flags', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        const read = await readTmod(build(textOf(given)));
        expect(read.version).toBe(given.version);
        expect(read.properties).toEqual(expectedProperties(given.properties));
        // Compared as text, because the test runner takes seconds to compare long arrays.
        expect(read.files.map((file) => [file.path, file.content_base64])).toEqual(
          given.files.map((file) => [file.path, Buffer.from(file.content).toString('base64')]),
        );
        expect(read.files.every((file) => file.checksum_ok && file.stored_path === undefined)).toBe(true);
      }),
      { numRuns: 150, seed: 5 },
    );
  });

  it('build after read returns the same bytes', async () => {
    const again = ({ version, properties, files }: ReadResult): Request => ({ version, properties: Object.entries(properties), files });
    // An object does not keep the order of numeric names.
    const ordered = request.filter(({ properties }) => properties.every(([key]) => !/^\d+$/.test(key)));
    await fc.assert(
      fc.asyncProperty(ordered, async (given) => {
        const built = build(textOf(given));
        const rebuilt = build(textOf(again(await readTmod(built))));
        expect(Buffer.from(rebuilt).equals(Buffer.from(built))).toBe(true);
      }),
      { numRuns: 150, seed: 6 },
    );
  });
});
