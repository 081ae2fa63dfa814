import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  type Fields,
  flag,
  initialState,
  integerIn,
  MAX_LINK_LENGTH,
  numberIn,
  oneOf,
  orNull,
  readState,
  textOf,
  writeState,
} from '../../../../src/areas/portal/tools/frame/state.domain.ts';

interface Sample {
  level: number;
  share: number;
  tier: number;
  zone: string;
  isOn: boolean;
  at: number | null;
  have: Readonly<Record<number, number>>;
}

const fields: Fields<Sample> = {
  level: integerIn(1, 35, 1),
  share: numberIn(0, 1, 0.5),
  tier: oneOf([1, 2, 3, 4], 4),
  zone: textOf(/^[A-Za-z/_]+$/, 30, 'UTC'),
  isOn: flag(true),
  at: orNull(integerIn(-100, 100, 0)),
  have: amountsOf(5, () => 1000),
};

const samples: fc.Arbitrary<Sample> = fc.record({
  level: fc.integer({ min: 1, max: 35 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
  tier: fc.constantFrom(1, 2, 3, 4),
  zone: fc.stringMatching(/^[A-Za-z/_]{1,30}$/),
  isOn: fc.boolean(),
  at: fc.option(fc.integer({ min: -100, max: 100 })),
  have: fc.dictionary(
    fc.integer({ min: 0, max: 4 }).map((position) => String(position)),
    fc.integer({ min: 1, max: 1000 }),
    { noNullPrototype: true },
  ),
});

describe('writeState and readState', () => {
  it('return the same state for every link that they write', () => {
    fc.assert(
      fc.property(samples, (state) => {
        expect(readState(fields, writeState(fields, state))).toEqual({ state, ignored: [] });
      }),
    );
  });

  it('read every text as a state within the bounds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `level=${text}&have=${text}&at=${text}`),
        ),
        (text) => {
          const { state } = readState(fields, text);
          expect(Number.isInteger(state.level) && state.level >= 1 && state.level <= 35).toBe(true);
          expect(readState(fields, writeState(fields, state)).state).toEqual(state);
        },
      ),
    );
  });

  it('omit the values of the example', () => {
    expect(writeState(fields, initialState(fields))).toBe('');
    expect(writeState(fields, { ...initialState(fields), level: 20, have: { 3: 1, 4: 120 } })).toBe('level=20&have=3,4:120');
  });

  it.each([
    ['level=36', ['level']],
    ['level=2.5', ['level']],
    ['level=1e1', ['level']],
    ['level=3&level=4', ['level']],
    ['share=NaN', ['share']],
    ['nothing=1', ['nothing']],
    ['__proto__=1', ['__proto__']],
    ['zone=%E0%A4%A', ['zone']],
    ['have=9', ['have']],
    ['have=1:1001', ['have']],
    ['have=1:-5', ['have']],
    ['isOn=yes', ['isOn']],
  ])('use the example for %s and name it', (text, ignored) => {
    const read = readState(fields, text);
    expect(read.ignored).toEqual(ignored);
    expect(read.state).toEqual({ ...initialState(fields), ...(text.startsWith('level=3&') ? { level: 3 } : {}) });
  });

  it('use the example for a link that is too long', () => {
    expect(readState(fields, 'x'.repeat(MAX_LINK_LENGTH + 1))).toEqual({ state: initialState(fields), ignored: ['link'] });
  });
});
