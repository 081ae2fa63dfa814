import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedFile } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { readAll } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { extractSlices, inflateStream, streamFile } from '../../../src/areas/updates/sync/engine/packed-files.service.ts';
import { encodeArchive } from '../../support/archive/encode.ts';

async function* inChunks(bytes: Uint8Array, size: number, onEnd = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  } finally {
    onEnd();
  }
}

const file = (path: string, offset: number, size: number): PackedFile => ({ path, archiveIndex: 0, offset, size, checksum: 0 });
const content = (length: number) => new Uint8Array(length).map((_, index) => (index * 7 + (index >> 8)) & 0xff);

async function cut(bytes: Uint8Array, files: readonly PackedFile[], chunk: number, maxOpen: number): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const slice of extractSlices(inChunks(bytes, chunk), files, maxOpen)) {
    for (const { path } of slice.files) found.set(path, Buffer.from(slice.bytes));
  }
  return found;
}

describe('extractSlices', () => {
  it('returns the bytes of each range, including overlapping and repeated ranges', async () => {
    const range = fc.record({ offset: fc.nat(900), size: fc.integer({ min: 1, max: 100 }) });
    const property = fc.asyncProperty(
      fc.array(range, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 400 }),
      async (ranges, chunk) => {
        const bytes = content(1000);
        const files = ranges.map(({ offset, size }, index) => file(`f${index}`, offset, size));
        files.sort((one, other) => one.offset - other.offset || one.size - other.size);
        const found = await cut(bytes, files, chunk, Number.POSITIVE_INFINITY);
        for (const { path, offset, size } of files) expect(found.get(path)).toEqual(Buffer.from(bytes.subarray(offset, offset + size)));
      },
    );
    await fc.assert(property, { numRuns: 200, seed: 1 });
  });

  it('skips slices above the memory limit, except the first', async () => {
    const files = [file('a', 0, 90), file('b', 10, 50), file('c', 20, 10), file('d', 95, 5)];
    expect([...(await cut(content(100), files, 7, 100)).keys()]).toEqual(['c', 'a', 'd']);
    expect([...(await cut(content(100), files, 100, 1)).keys()]).toEqual(['a']);
  });

  it('throws for a file beyond the end of the archive', async () => {
    await expect(cut(content(10), [file('a', 0, 3), file('late', 8, 3)], 4, 100)).rejects.toThrow('late is beyond the end');
    await expect(cut(content(10), [file('never', 10, 1)], 4, 100)).rejects.toThrow('never is beyond the end');
    await expect(readAll(streamFile(inChunks(content(10), 3), file('a', 8, 3)))).rejects.toThrow('a is beyond the end');
    expect(await readAll(streamFile(inChunks(content(10), 3), file('a', 2, 7)))).toEqual(content(10).slice(2, 9));
  });
});

describe('inflateStream', () => {
  const bytes = content(300_000);
  /** Not `toEqual`, which takes long for long arrays. */
  const expectBytes = (found: Uint8Array, expected: Uint8Array) =>
    expect([found.length, Buffer.compare(found, expected)]).toEqual([expected.length, 0]);

  it.each([
    ['a complete stream', encodeArchive([bytes])],
    ['a stream without a final block', encodeArchive([bytes], { unterminated: true })],
    ['a stream of stored blocks', encodeArchive([bytes], { level: 0 })],
    ['a stream with bytes after its end', Uint8Array.from(Buffer.concat([deflateSync(bytes), Buffer.alloc(5000, 1)]))],
  ])('accepts %s in chunks of any size', async (_name, archive) => {
    for (const size of [1000, 70_000, archive.length]) expectBytes(await readAll(inflateStream(inChunks(archive, size))), bytes);
  });

  it('returns the data before the end of a truncated stream', async () => {
    const archive = encodeArchive([bytes], { level: 0 });
    const part = await readAll(inflateStream(inChunks(archive.subarray(0, 200_000), 1000)));
    expect(part.length).toBeGreaterThan(190_000);
    expectBytes(part, bytes.subarray(0, part.length));
  });

  it('throws for invalid zlib data and forwards input errors', async () => {
    await expect(readAll(inflateStream(inChunks(Uint8Array.of(1, 2, 3, 4), 2)))).rejects.toThrow('incorrect header check');
    const broken = async function* () {
      yield encodeArchive([bytes]).subarray(0, 100);
      throw new Error('broke off');
    };
    await expect(readAll(inflateStream(broken()))).rejects.toThrow('broke off');
  });

  it('cancels its input when the reader stops', async () => {
    let ended = false;
    const big = encodeArchive([content(5_000_000)], { level: 0 });
    const archive = inflateStream(inChunks(big, 10_000, () => (ended = true)));
    for await (const chunk of archive) if (chunk.length > 0) break;
    await expect.poll(() => ended, { timeout: 20_000 }).toBe(true);
  });
});
