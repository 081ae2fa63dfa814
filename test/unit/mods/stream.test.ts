import { Readable } from 'node:stream';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readFramed } from '../../../src/areas/mods/stored-stream.domain.ts';
import { containerOf, deflated, fromHex, joined, packed, type RawEntry, sampleBytes, storedStream } from '../../support/tmod.ts';
import { readTmod } from './reading.ts';

const FILES = [
  { path: 'a.bin', content: sampleBytes(40_001) },
  { path: 'empty', content: new Uint8Array(0) },
  { path: 'b.bin', content: sampleBytes(90_000, 2) },
  { path: 'c.txt', content: sampleBytes(3, 3) },
];
const { entries: ENTRIES, decoded: DECODED } = packed(FILES);
const read = async (stream: Uint8Array, entries: readonly RawEntry[] = ENTRIES, reserved: number[] = []) =>
  (await readTmod(containerOf({ entries, stream }), reserved)).files;
/** Contents as text, because the test runner takes seconds to compare long arrays. */
const textOf = (content: Uint8Array) => Buffer.from(content).toString('base64');
const contentsOf = (files: readonly { content: Uint8Array }[]) => files.map(({ content }) => textOf(content));
const RIGHT = contentsOf(FILES);
const ALL_RIGHT = [true, true, true, true];

/** A zlib stream with stored blocks of the given sizes, a final block and an Adler-32. */
function complete(decoded: Uint8Array, sizes: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x9c)];
  let start = 0;
  const rest = Array(Math.ceil(decoded.length / 65_535)).fill(65_535);
  for (const size of [...sizes, ...rest]) {
    const bytes = decoded.subarray(start, start + size);
    start += bytes.length;
    parts.push(Uint8Array.of(0, bytes.length & 255, bytes.length >> 8, ~bytes.length & 255, (~bytes.length >> 8) & 255), bytes);
  }
  return new Uint8Array(Buffer.concat([...parts, Uint8Array.of(1, 0, 0, 255, 255, 1, 2, 3, 4)]));
}

describe('decoding of existing stream formats', () => {
  it.each([
    ['stored blocks without a final block', storedStream(DECODED)],
    ['stored blocks without the empty block at the end', storedStream(DECODED).subarray(0, -5)],
    ['a complete stream of stored blocks of various sizes', complete(DECODED, [1, 0, 7, 40_000, 0, 65_535, 3])],
    ['the fixed framing with wrong block lengths', storedStream(DECODED, (length, run) => (run === 3 ? length : 1000 + run))],
    ['the fixed framing with an invalid zlib header', joined([1, 2], storedStream(DECODED).subarray(2))],
    ['a complete compressed stream', deflated(DECODED)],
    ['a compressed stream without Adler-32', deflated(DECODED).subarray(0, -4)],
    ['a compressed stream with a wrong Adler-32', deflated(DECODED).with(-1, 99)],
    ['a compressed stream with trailing bytes', joined(deflated(DECODED), sampleBytes(50))],
  ])('decodes %s', async (_title, stream) => {
    const files = await read(stream);
    expect(files.map(({ checksum_ok: isRight }) => isRight)).toEqual(ALL_RIGHT);
    expect(contentsOf(files)).toEqual(RIGHT);
  });

  it('uses the format whose contents match the checksums', async () => {
    // The length of every block includes the five bytes of the next header, so that zlib shifts by five at each boundary.
    const content = new Uint8Array(70_000);
    const { entries, decoded } = packed([{ path: 'zeros', content }]);
    const honest = storedStream(decoded);
    const lying = joined([0x78, 1], [0, 5, 0, 250, 255], content.subarray(0, 5), honest.subarray(12));
    const [file] = await read(joined(lying.subarray(0, -5), [0, 0, 0, 255, 255]), entries);
    expect(file?.content.length).toBe(70_000);
    expect(file?.checksum_ok).toBe(true);
  });
});

describe('choice between zlib and the fixed framing', () => {
  const sample = packed(Array.from({ length: 6 }, (_, index) => ({ path: `${index}`, content: sampleBytes(20_000, index) })));

  it('checks every file, not only the first', async () => {
    // The first block is correct; the length of the second includes the next header, which corrupts the rest.
    const stream = storedStream(sample.decoded, (length, run) => (run === 2 ? length - 4 : length));
    const files = await read(stream, sample.entries);
    expect(files.map((file) => file.checksum_ok)).toEqual(sample.entries.map(() => true));
  });

  it('prefers zlib if both match equally', async () => {
    const wrong = sample.entries.map((entry) => ({ ...entry, checksum: 1 }));
    const stream = complete(sample.decoded, [10, 10]);
    expect(contentsOf(await read(stream, wrong))).toEqual(contentsOf(await read(storedStream(sample.decoded), sample.entries)));
  });

  it('prefers the framing if the zlib stream is broken and does not match better', async () => {
    const wrong = sample.entries.map((entry) => ({ ...entry, checksum: 1 }));
    const stream = storedStream(sample.decoded).with(5, 0);
    expect(contentsOf(await read(stream, wrong))).toEqual(contentsOf(await read(storedStream(sample.decoded), sample.entries)));
  });

  it('prefers compression if it matches more files than the framing', async () => {
    // The raw bytes of the compressed stream contain one of the files at the offset of the framing.
    const { entries, decoded } = packed(FILES);
    const stream = deflated(decoded);
    const lucky = readFramed(stream)?.slice(0, 8) ?? new Uint8Array(0);
    const { entries: extra } = packed([{ path: 'lucky', content: lucky.slice() }]);
    const all = [...extra, ...entries];
    const files = await read(
      stream,
      all.toSorted((one, other) => one.offset - other.offset),
    );
    expect(files.filter((file) => file.checksum_ok)).toHaveLength(4);
    expect(contentsOf(await read(stream, extra))).toEqual([textOf(lucky)]);
  });

  it('decodes again after the comparison if files are in stream order', async () => {
    const body = sampleBytes(4000, 9).map((byte) => byte & 7);
    const stream = deflated(joined(new Uint8Array(8), body));
    const lucky = readFramed(stream)?.slice(0, 4).slice() ?? new Uint8Array(0);
    const entries = [
      { ...(packed([{ path: 'lucky', content: lucky }]).entries[0] as RawEntry), offset: 0 },
      { ...(packed([{ path: 'body', content: body.slice(0, 2000) }]).entries[0] as RawEntry), offset: 8 },
      { ...(packed([{ path: 'more', content: body.slice(2000) }]).entries[0] as RawEntry), offset: 2008 },
    ];
    expect((await read(stream, entries)).map((file) => file.checksum_ok)).toEqual([false, true, true]);
  });
});

describe('damaged streams', () => {
  it.each([
    ['an empty stream', new Uint8Array(0)],
    ['half a zlib header', fromHex('78')],
    ['a zlib header only', fromHex('7801')],
    ['eleven invalid bytes', new Uint8Array(11).fill(255)],
  ])('%s yields no content', async (_title, stream) => {
    const files = await read(stream);
    expect(files.map(({ content, checksum_ok: isRight }) => [content.length, isRight])).toEqual([
      [0, false],
      [0, true],
      [0, false],
      [0, false],
    ]);
  });

  it('are read with the framing if no checksum matches', async () => {
    const [file] = await read(new Uint8Array(100).fill(255));
    expect(file?.content).toEqual(new Uint8Array(88).fill(255));
  });

  it('are read with the framing if the first compressed block is broken', async () => {
    const [file] = await read(joined([0x78, 0x9c, 0xed], new Uint8Array(100).fill(255)));
    expect(file?.content.length).toBe(91);
  });

  it.each([
    ['stored', storedStream(DECODED).subarray(0, 50_000)],
    ['compressed', deflated(DECODED).subarray(0, 50_000)],
  ])('yield the available content of a truncated %s stream', async (_title, stream) => {
    const files = await read(stream);
    expect(files.map((file) => file.checksum_ok)).toEqual([true, true, false, false]);
    const [first, , second] = files;
    expect(textOf(first?.content ?? new Uint8Array(0))).toEqual(RIGHT[0]);
    expect(second?.content.length).toBeGreaterThan(1000);
    expect(Buffer.from(FILES[2]?.content ?? []).indexOf(second?.content ?? '')).toBe(0);
  });

  it('yield the available content of an entry beyond the end', async () => {
    const entries = ENTRIES.map((entry) => ({ ...entry, size: entry.path === 'c.txt' ? 1000 : entry.size }));
    for (const stream of [storedStream(DECODED), deflated(DECODED)]) {
      const files = await read(stream, entries);
      expect(files[3]?.content).toEqual(DECODED.slice(ENTRIES[3]?.offset));
      expect(files[3]?.checksum_ok).toBe(false);
    }
  });
});

describe('table order and stream order', () => {
  const overlapping = [...ENTRIES, ...ENTRIES].map((entry, index) => ({ ...entry, path: `${index}` }));

  it.each([
    ['stored', storedStream(DECODED)],
    ['compressed', deflated(DECODED)],
  ])('may differ, with overlapping entries, in a %s stream', async (_title, stream) => {
    const reversed = overlapping.toReversed();
    const files = await read(stream, reversed);
    expect(files.every((file) => file.checksum_ok)).toBe(true);
    expect(contentsOf(files)).toEqual([...RIGHT, ...RIGHT].toReversed());
  });

  it('need a decoded copy only if they differ, and reserve memory for it', async () => {
    const inOrder: number[] = [];
    await read(deflated(DECODED), ENTRIES, inOrder);
    await read(storedStream(DECODED), ENTRIES.toReversed(), inOrder);
    expect(inOrder).toEqual([]);
    const reversed: number[] = [];
    await read(deflated(DECODED), ENTRIES.toReversed(), reversed);
    expect(reversed).toEqual([DECODED.length - 1]);
  });

  it('reserve at most the maximum decoded size of the stream', async () => {
    const reserved: number[] = [];
    const entries = [
      { path: 'b', offset: 1, size: 30_000_000, checksum: 1 },
      { path: 'a', offset: 0, size: 1, checksum: 1 },
    ];
    const stream = deflated(new Uint8Array(1000));
    await read(stream, entries, reserved);
    expect(reserved).toEqual([stream.length * 1032]);
  });
});

describe('decompression bombs', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('are decoded only up to the end of the last entry', async () => {
    const bomb = deflated(new Uint8Array(20_000_000));
    // The decoder pushes what it has decoded.
    const pushes = vi.spyOn(Readable.prototype, 'push');
    const [file] = await read(bomb, packed([{ path: 'zeros', content: new Uint8Array(1000) }]).entries);
    expect(file?.content).toEqual(new Uint8Array(1000));
    expect(file?.checksum_ok).toBe(true);
    const decoded = pushes.mock.calls.reduce((sum, [chunk]) => sum + (chunk?.length ?? 0), 0);
    expect(decoded).toBeGreaterThanOrEqual(1000);
    expect(decoded).toBeLessThan(2_000_000);
  });

  it('with a million tiny blocks are decoded as a stream', async () => {
    const decoded = sampleBytes(100_000);
    const stream = complete(decoded, Array(100_000).fill(1));
    const [file] = await read(stream, packed([{ path: 'x', content: decoded }]).entries);
    expect(file?.checksum_ok).toBe(true);
  });
});

describe('stored streams', () => {
  it('are read like zlib for any entry order', async () => {
    const range = fc.record({ offset: fc.nat({ max: 3000 }), size: fc.nat({ max: 3000 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.array(fc.nat({ max: 300 })),
        fc.array(range),
        async (decoded, sizes, ranges) => {
          const stream = complete(decoded, sizes);
          expect(inflateSync(stream.subarray(0, -4), { finishFlush: 2 })).toEqual(Buffer.from(decoded));
          const entries = ranges.map(({ offset, size }, index) => ({
            ...(packed([{ path: `${index}`, content: decoded.slice(offset, offset + size) }]).entries[0] as RawEntry),
            offset,
            size,
          }));
          const files = await read(stream, entries);
          expect(contentsOf(files)).toEqual(ranges.map(({ offset, size }) => textOf(decoded.slice(offset, offset + size))));
          for (const { offset, size, checksum_ok: isRight } of files) expect(isRight).toBe(size === 0 || offset + size <= decoded.length);
        },
      ),
      { numRuns: 60, seed: 4 },
    );
  });
});
