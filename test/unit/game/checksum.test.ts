import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChecksum, gameChecksum } from '../../../src/game/checksum.domain.ts';
import { pushVarint, readVarint } from '../../../src/platform/kit/values/bytes.ts';

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe('file checksum', () => {
  it.each([
    ['', 2166136261],
    ['5a', 3742114125],
    ['80', 83079839],
    ['7f80', 83079839],
    ['78797a', 1892948141],
    ['0180ff', 4193493326],
    ['00000000', 84696351],
    ['ffffffff', 4193493326],
    ['f09f8e8f21', 1348072906],
    ['30313233343536373839616263646566', 3052953608],
  ])('returns $1 for $0', (hex, expected) => {
    expect(gameChecksum(bytesOf(hex))).toBe(expected);
  });

  it('is independent of chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 8 }), (chunks) => {
        const checksum = createChecksum();
        for (const chunk of chunks) checksum.update(chunk);
        expect(checksum.digest()).toBe(gameChecksum(new Uint8Array(chunks.flatMap((chunk) => [...chunk]))));
      }),
    );
  });
});

describe('readVarint and pushVarint', () => {
  it('returns the written number after a round trip', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), (value) => {
        const out: number[] = [];
        pushVarint(out, value);
        expect(readVarint(new Uint8Array([...out, 1]), 0)).toEqual({ value, next: out.length });
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['an unfinished number', '8080'],
    ['eleven groups', `${'80'.repeat(10)}01`],
  ])('rejects %s', (_name, hex) => {
    expect(readVarint(bytesOf(hex), 0)).toBeNull();
  });

  it('truncates ten groups to 32 bits', () => {
    expect(readVarint(bytesOf('ffffffffffffffffff01'), 0)).toEqual({ value: 0xffffffff, next: 10 });
    expect(readVarint(bytesOf('80808080807f'), 0)).toEqual({ value: 0, next: 6 });
  });
});
