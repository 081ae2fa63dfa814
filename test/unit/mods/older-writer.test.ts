import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectArtifact, readArtifactPaths, stampArtifact } from '../../../src/areas/mods/artifacts.service.ts';
import { readHeader, TmodFault } from '../../../src/areas/mods/tmod-header.domain.ts';
import { pushVarint } from '../../../src/platform/kit/values/bytes.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { joined, packed, type SampleFile, storedStream } from '../../support/tmod.ts';
import { readMetadata, readTmod } from './reading.ts';

const encoder = new TextEncoder();

/** Number of characters as the writer counts them. */
const COUNTS = { points: (text: string) => [...text].length, units: (text: string) => text.length };
type Count = keyof typeof COUNTS;

interface OldMod {
  properties: readonly (readonly [string, string])[];
  files: readonly SampleFile[];
}

const varint = (value: number): number[] => {
  const out: number[] = [];
  pushVarint(out, value);
  return out;
};
const headerOf = (propertyCount: number, rest: Uint8Array): Uint8Array => {
  const fixed = new DataView(new ArrayBuffer(12));
  fixed.setBigUint64(0, BigInt(12 + rest.length), true);
  fixed.setUint16(8, 1, true);
  fixed.setUint16(10, propertyCount, true);
  return joined(new Uint8Array(fixed.buffer), rest);
};

/** A file of an older writer: every length counts characters. */
function oldMod({ properties, files }: OldMod, count: Count): Uint8Array<ArrayBuffer> {
  const { entries, decoded } = packed(files);
  const texts = properties.flat().map((text) => joined(varint(COUNTS[count](text)), encoder.encode(text)));
  const table = entries.map(({ path, offset, size, checksum }) =>
    joined([COUNTS[count](String(path))], encoder.encode(String(path)), [0, ...varint(offset), ...varint(size), ...varint(checksum)]),
  );
  return joined(headerOf(properties.length, joined(...texts, ...table)), storedStream(decoded));
}

/** A table of two entries, with and without its first byte. */
const TWO_TABLES = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
const content = encoder.encode('xyz');
const isAscii = (text: string) => encoder.encode(text).length === text.length;

describe('files of a writer whose lengths count characters', () => {
  it('are read with the right texts, paths, offsets and contents', async () => {
    const files = ['ui/größe.swf', 'éé', '模组模', 'a.txt', '日本/é'].map((path) => ({ path, content: encoder.encode(path) }));
    const properties = [
      ['title', 'é'],
      ['größe', ''],
      ['notes', 'ééé 日本'],
    ] as const;
    for (const count of ['points', 'units'] as const) {
      const bytes = oldMod({ properties, files }, count);
      const result = await readTmod(bytes);
      expect(result).toMatchObject({ header_repaired: true, properties: Object.fromEntries(properties), file_count: 5 });
      expect(result.files.map(({ path, content: read, checksum_ok }) => [path, new TextDecoder().decode(read), checksum_ok])).toEqual(
        files.map(({ path }) => [path, path, true]),
      );
      expect(result.files.map(({ offset }) => offset)).toEqual([0, 16, 20, 32, 40]);
      expect((await readMetadata(bytes)).files.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
      expect(await inspectArtifact(bytes)).toMatchObject({ title: 'é', fileCount: 5 });
      const read = async ({ offset, length }: { offset: number; length: number }) => bytes.subarray(offset, offset + length);
      expect(await readArtifactPaths(read, bytes.length)).toEqual(files.map(({ path }) => path));
    }
  });

  it('are read with characters of two code units, whichever of the two the lengths count', async () => {
    const mod = { properties: [['title', 'a😀b']], files: [{ path: '😀/x', content }] } as const;
    for (const count of ['points', 'units'] as const) {
      expect(await readTmod(oldMod(mod, count))).toMatchObject({
        header_repaired: true,
        properties: { title: 'a😀b' },
        files: [{ path: '😀/x', offset: 0, size: 3, checksum_ok: true }],
      });
    }
  });

  it('are read if only the properties, or only the paths, count characters', async () => {
    const { entries, decoded } = packed([{ path: 'é.x', content }]);
    const [{ offset, size, checksum }] = entries as [(typeof entries)[number]];
    const rest = [0, ...varint(offset), ...varint(size), ...varint(checksum)];
    const path = encoder.encode('é.x');
    for (const [valueLength, pathLength] of [
      [1, 4],
      [2, 3],
    ] as const) {
      const text = joined([1], encoder.encode('t'), [valueLength], encoder.encode('é'));
      const bytes = joined(headerOf(1, joined(text, [pathLength], path, rest)), storedStream(decoded));
      expect(await readTmod(bytes)).toMatchObject({ header_repaired: true, properties: { t: 'é' }, files: [{ path: 'é.x', size: 3 }] });
    }
  });

  it('are read with lengths in bytes if both readings reach the end of the header', () => {
    // In characters the value is "éa\u0000", and the first entry has a checksum of 1.
    const header = readHeader(joined(headerOf(1, joined([1, 0x74, 3], encoder.encode('éa'), TWO_TABLES)), storedStream(new Uint8Array(0))));
    expect([header.isRepaired, new TextDecoder().decode(header.properties.get('t'))]).toEqual([false, 'éa']);
    expect([...header.entries()].map(({ path, checksum }) => [path, checksum])).toEqual([
      ['', 0],
      ['\u0000', 0],
    ]);
  });

  it('keep an index other than 0 if no other reading explains it', async () => {
    const bytes = joined(
      headerOf(0, joined([1], encoder.encode('x'), [5, 0, 0, ...varint(2_166_136_261)])),
      storedStream(new Uint8Array(0)),
    );
    expect(await readTmod(bytes)).toMatchObject({ header_repaired: false, files: [{ path: 'x', index: 5 }] });
  });

  it('are rejected with the field if two readings fit', () => {
    // Two code units are "😀"; two code points are "😀\u0000".
    const bytes = joined(headerOf(1, joined([1, 0x74, 2], encoder.encode('😀'), TWO_TABLES)), storedStream(new Uint8Array(0)));
    expect(() => readHeader(bytes)).toThrow('offset 15, properties[0].value: can be read in several ways; its length must count bytes');
  });

  it('are rejected with the field if a file lies outside the stream', () => {
    const rest = (size: number) => joined([1, 0x74, 1], encoder.encode('é'), [1, 0x78, 0, 0, ...varint(size), 0]);
    const bytes = (size: number) => joined(headerOf(1, rest(size)), storedStream(encoder.encode('abcd')));
    expect(readHeader(bytes(4)).isRepaired).toBe(true);
    for (const size of [17, 4_294_967_295]) {
      expect(() => readHeader(bytes(size))).toThrow('offset 15, properties[0].value: is not UTF-8 ("t")');
    }
  });

  it('become files with lengths in bytes when they are stamped', async () => {
    const files = ['ui/größe.swf', 'b.txt'].map((path) => ({ path, content: encoder.encode(path) }));
    const before = oldMod({ properties: [['title', 'é']], files }, 'units');
    const after = stampArtifact(before, { modLoader: 'x' });
    const [old, stamped] = [await readTmod(before), await readTmod(after)];
    expect(stamped).toMatchObject({ header_repaired: false, properties: { title: 'é', modLoader: 'x' }, files: old.files });
    const long = oldMod({ properties: [], files: [{ path: '模'.repeat(100), content }] }, 'units');
    expect(() => stampArtifact(long, {})).toThrow('a path has more than 255 bytes');
  });

  it('are read back from any text', async () => {
    const text = (maxLength: number) => fc.string({ unit: fc.oneof(anyCodePoint, fc.constantFrom('é', 'a', '模', '😀', '/')), maxLength });
    let repaired = 0;
    let doubtful = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(text(8), text(40)), { maxLength: 5, selector: ([name]) => name }),
        fc.array(
          fc.record({ path: text(40).map((path) => path.replaceAll('\\', '/').toLowerCase()), content: fc.uint8Array({ maxLength: 40 }) }),
          {
            maxLength: 5,
          },
        ),
        fc.constantFrom<Count>('points', 'units'),
        async (properties, files, count) => {
          const bytes = oldMod({ properties, files }, count);
          const texts = [...properties.flat(), ...files.map(({ path }) => path)];
          try {
            const result = await readTmod(bytes);
            const expected = { properties: new Map(properties), paths: files.map(({ path }) => path) };
            expect(new Map(Object.entries(result.properties))).toEqual(expected.properties);
            expect(result.files.map(({ path }) => path)).toEqual(expected.paths);
            expect(result.files.map(({ content: bytesRead }) => bytesRead)).toEqual(files.map((file) => file.content));
            expect(result.header_repaired).toBe(!texts.every(isAscii));
            if (result.header_repaired) repaired += 1;
          } catch (error) {
            if (!(error instanceof TmodFault) || !error.message.includes('several ways')) throw error;
            doubtful += 1;
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(repaired).toBeGreaterThan(300);
    expect(doubtful).toBeLessThan(5);
  });
});
