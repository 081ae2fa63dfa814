import { describe, expect, it } from 'vitest';
import { inspectArtifact } from '../../../src/areas/mods/artifacts.service.ts';
import { readHeader } from '../../../src/areas/mods/tmod-header.domain.ts';
import { ArtifactFault } from '../../../src/game/artifact.ts';
import { containerOf, EXAMPLE_FILE, EXAMPLE_HEX, EXAMPLE_PROPERTIES, fromHex, joined, packed, storedStream } from '../../support/tmod.ts';
import { readMetadata, readTmod } from './reading.ts';

const text = (value: string) => new TextEncoder().encode(value);

describe('the documented example of a read', () => {
  it('is read as documented', async () => {
    const { files, ...rest } = await readTmod(fromHex(EXAMPLE_HEX));
    expect(rest).toEqual({
      version: 1,
      header_size: 110,
      properties: EXAMPLE_PROPERTIES,
      file_count: 2,
      metadata_only: false,
      flags: 8192,
      categories: ['Wings'],
      header_repaired: false,
    });
    expect(files).toMatchObject([
      { ...EXAMPLE_FILE, content_base64: 'YWJjZGU=', checksum_ok: true },
      { path: 'a.txt', index: 0, offset: 0, size: 0, checksum: 2_166_136_261, content_base64: '', checksum_ok: true },
    ]);
  });

  it('has no content fields with metadata_only', async () => {
    const { files, metadata_only: isMetadata } = await readMetadata(fromHex(EXAMPLE_HEX).subarray(0, 110));
    expect(isMetadata).toBe(true);
    expect(Object.keys(files[0] ?? {})).toEqual(['path', 'index', 'offset', 'size', 'checksum', 'content']);
  });
});

describe('reading valid headers', () => {
  it('accepts a header without properties and files', async () => {
    expect(await readTmod(containerOf({ stream: new Uint8Array(0) }))).toMatchObject({
      header_size: 12,
      file_count: 0,
      files: [],
      properties: {},
    });
  });

  it('returns normalised paths, and the stored path if different', async () => {
    const paths = ['UI\\Tiny.SWF', '../x', '/abs', 'same', 'same', 'Ünïcode/É'];
    const entries = paths.map((path) => ({ path, offset: 0, size: 0, checksum: 2_166_136_261 }));
    const { files } = await readTmod(containerOf({ entries }));
    expect(files.map(({ path }) => path)).toEqual(['ui/tiny.swf', '../x', '/abs', 'same', 'same', 'ünïcode/é']);
    expect(files.map((file) => file.stored_path)).toEqual(['UI\\Tiny.SWF', undefined, undefined, undefined, undefined, 'Ünïcode/É']);
  });

  it('returns the last value of a repeated property at its first position', async () => {
    const properties = [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ] as const;
    const result = await readTmod(containerOf({ properties }));
    expect(Object.entries(result.properties)).toEqual([
      ['a', '3'],
      ['b', '2'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('returns text unchanged: control characters, a BOM, astral characters', async () => {
    const value = '\ufeff"\\\u0000\r\n\u2028😀'.repeat(5000);
    const result = await readTmod(
      containerOf({
        properties: [
          ['notes', value],
          ['\ufeff', ''],
        ],
      }),
    );
    expect(result.properties).toEqual({ notes: value, '\ufeff': '' });
  });

  it('returns the stored checksum and index, correct or not', async () => {
    const { entries, decoded } = packed([{ path: 'x', content: text('abc') }]);
    const wrong = entries.map((entry) => ({ ...entry, checksum: 7, index: 4_294_967_295 }));
    const { files } = await readTmod(containerOf({ entries: wrong, stream: storedStream(decoded) }));
    expect(files[0]).toMatchObject({ checksum: 7, index: 4_294_967_295, checksum_ok: false, content_base64: 'YWJj' });
  });

  it('truncates numbers to 32 bits', async () => {
    const table = joined([1], text('x'), fromHex('ffffffffffffffffff01'), [0, 0], fromHex('80808080807f'));
    const header = containerOf({ headerSize: BigInt(12 + table.length), stream: table });
    expect((await readTmod(header)).files[0]).toMatchObject({ index: 0xffffffff, checksum: 0 });
  });
});

const fixed = (headerSize: bigint, propertyCount = 0) => containerOf({ headerSize, propertyCount, stream: new Uint8Array(0) });
const withTable = (...table: number[]) => containerOf({ headerSize: BigInt(12 + table.length), stream: Uint8Array.from(table) });
const withProperties = (count: number, ...bytes: number[]) =>
  containerOf({ headerSize: BigInt(12 + bytes.length), propertyCount: count, stream: Uint8Array.from(bytes) });
const MIB = 1024 * 1024;
const claim = (...sizes: [offset: number, size: number][]) =>
  containerOf({ entries: sizes.map(([offset, size], index) => ({ path: `${index}`, offset, size, checksum: 0 })) });

describe('headers of .tmod files', () => {
  it.each([
    ['nothing at all', new Uint8Array(0), 0, 'file'],
    ['eleven bytes', new Uint8Array(11), 0, 'file'],
    ['a size below twelve', fixed(11n), 0, 'header_size'],
    ['a size of zero', fixed(0n), 0, 'header_size'],
    ['a size beyond the file', fixed(13n), 0, 'header_size'],
    ['a size of 2^63', fixed(2n ** 63n), 0, 'header_size'],
    ['a size that is small when cut to 32 bits', fixed(2n ** 32n + 12n), 0, 'header_size'],
    ['a property too many', fixed(12n, 1), 12, 'properties[0].name.length'],
    ['a name beyond the header', withProperties(1, 5, 0x61), 12, 'properties[0].name'],
    ['a name of four gigabytes', withProperties(1, 0xff, 0xff, 0xff, 0xff, 0x0f), 12, 'properties[0].name'],
    ['no value', withProperties(1, 1, 0x61), 14, 'properties[0].value.length'],
    ['a value beyond the header', withProperties(1, 1, 0x61, 2, 0x62), 14, 'properties[0].value'],
    ['a name that is not UTF-8', withProperties(1, 1, 0xff, 0), 13, 'properties[0].name'],
    ['a value that is not UTF-8', withProperties(1, 1, 0x61, 2, 0xc3, 0x28), 15, 'properties[0].value'],
    ['a value that ends in half a character', withProperties(1, 1, 0x61, 1, 0xc3), 15, 'properties[0].value'],
    ['a number of eleven bytes', withProperties(1, ...Array(10).fill(0x80), 1, 1, 1), 12, 'properties[0].name.length'],
    ['a path beyond the header', withTable(9, 0x61), 12, 'files[0].path'],
    ['a path that is not UTF-8', withTable(1, 0xff, 0, 0, 0, 0), 13, 'files[0].path'],
    ['an entry without its numbers', withTable(1, 0x61), 14, 'files[0].index'],
    ['an entry that ends in a number', withTable(0, 0, 0, 0, 0x80), 16, 'files[0].checksum'],
    ['a second entry that is cut', withTable(0, 0, 0, 0, 0, 1), 17, 'files[1].path'],
    ['an entry beyond 32 MiB', claim([0, 4], [32 * MIB, 1]), 18, 'files[1]'],
    ['entries of more than 32 MiB together', claim([0, 20 * MIB], [0, 20 * MIB]), 21, 'files[1]'],
  ])('are rejected for %s with offset and field', async (_title, bytes, offset, field) => {
    const fault = await inspectArtifact(bytes).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ArtifactFault);
    expect(fault).toMatchObject({ offset, field, message: expect.stringContaining(`offset ${offset}, ${field}: `) });
    await expect(readTmod(bytes)).rejects.toBeInstanceOf(ArtifactFault);
  });

  it('are accepted with a total size of exactly 32 MiB and empty entries at any offset', async () => {
    expect((await readTmod(claim([0, 32 * MIB], [4_294_967_295, 0]))).files.map(({ checksum_ok }) => checksum_ok)).toEqual([false, false]);
  });

  it('are accepted with any total size if contents are not read', async () => {
    expect((await readMetadata(claim([4_294_967_295, 4_294_967_295]))).files[0]).toMatchObject({ size: 4_294_967_295 });
  });

  it('are rejected above the maximum number of files, without creating all entries', () => {
    const entry = [0, 0, 0, 0, 0];
    const table = new Uint8Array(65_537 * entry.length);
    expect(() => readHeader(containerOf({ headerSize: BigInt(12 + table.length), stream: table }))).toThrow(
      'files[65536]: more than 65536 files',
    );
    expect(readHeader(containerOf({ headerSize: BigInt(12 + 327_680), stream: table })).fileCount).toBe(65_536);
  });
});

describe('inspectArtifact', () => {
  it('returns title, author, properties and file count', async () => {
    expect(await inspectArtifact(fromHex(EXAMPLE_HEX))).toEqual({
      headerSize: 110,
      title: 'Tiny',
      author: 'Me',
      properties: EXAMPLE_PROPERTIES,
      fileCount: 2,
    });
  });

  it('returns no title if there is none', async () => {
    expect(await inspectArtifact(containerOf({ properties: [['__proto__', 'x']] }))).toMatchObject({
      title: null,
      author: null,
      fileCount: 0,
    });
  });
});
