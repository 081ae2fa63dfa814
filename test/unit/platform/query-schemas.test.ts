import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  booleanWithDefault,
  historyPage,
  integerWithDefault,
  nameList,
  optionalBoolean,
  optionalInteger,
  requiredInteger,
} from '../../../src/platform/http/pipeline/query-schemas.ts';

const parameter = { min: 1, max: 200, description: 'A number.', example: 5 };

describe('integer parameter', () => {
  it.each([
    ['1', 1],
    ['200', 200],
    ['007', 7],
  ])('parses %j as %i', (text, value) => {
    expect(requiredInteger(parameter).parse(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    ' 5',
    '5 ',
    '0',
    '201',
    '-1',
    '+5',
    '5.0',
    '0x10',
    '1e2',
    '5n',
    '٥',
    'NaN',
    'Infinity',
    'true',
    'null',
    '5,6',
    '5\u0000',
    '9'.repeat(16),
    '9'.repeat(5000),
  ])('rejects %j', (text) => {
    expect(requiredInteger(parameter).safeParse(text).success).toBe(false);
    expect(optionalInteger(parameter).safeParse(text).success).toBe(false);
    expect(integerWithDefault({ ...parameter, default: 50 }).safeParse(text).success).toBe(false);
  });

  it('states the allowed range in the message', () => {
    for (const text of ['abc', '500']) {
      expect(requiredInteger(parameter).safeParse(text).error?.issues[0]?.message).toBe('must be an integer between 1 and 200');
    }
  });

  it('accepts a missing value when the parameter is optional', () => {
    expect(optionalInteger(parameter).parse(undefined)).toBeUndefined();
    expect(integerWithDefault({ ...parameter, default: 50 }).parse(undefined)).toBe(50);
    expect(requiredInteger(parameter).safeParse(undefined).success).toBe(false);
  });

  it('returns only integers within the bounds for arbitrary text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
        const result = requiredInteger(parameter).safeParse(text);
        if (!result.success) return;
        expect(Number.isInteger(result.data) && result.data >= 1 && result.data <= 200).toBe(true);
      }),
    );
  });
});

describe('boolean parameter', () => {
  const optional = optionalBoolean({ description: 'A switch.', example: true });

  it.each(['true', 'True', 'TRUE', '1', 'yes', 'Yes', 'on', 'ON', 't', 'T', 'y', 'Y'])('reads %j as true', (text) => {
    expect(optional.parse(text)).toBe(true);
  });

  it.each(['false', 'False', 'FALSE', '0', 'no', 'No', 'off', 'OFF', 'f', 'F', 'n', 'N'])('reads %j as false', (text) => {
    expect(optional.parse(text)).toBe(false);
  });

  it.each(['maybe', '', ' true', '2', '-1', 'truefalse', 'null', 'ｔｒｕｅ', 'constructor'])('rejects %j', (text) => {
    expect(optional.safeParse(text).success).toBe(false);
  });

  it('returns undefined or the default when the parameter is missing', () => {
    expect(optional.parse(undefined)).toBeUndefined();
    const byDefault = (value: boolean) => booleanWithDefault({ description: 'A switch.', example: true, default: value });
    expect([byDefault(true).parse(undefined), byDefault(false).parse(undefined), byDefault(true).parse('no')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('historyPage', () => {
  it('parses limit, offset and cursor', () => {
    const { limit, offset, cursor } = historyPage({ max: 500, default: 50 });
    expect([limit.parse(undefined), limit.parse('500'), limit.safeParse('501').success]).toEqual([50, 500, false]);
    expect([offset.parse(undefined), offset.parse('0'), offset.safeParse('-1').success]).toEqual([undefined, 0, false]);
    expect([cursor.parse(undefined), cursor.safeParse('x'.repeat(201)).success]).toEqual([undefined, false]);
  });
});

describe('nameList', () => {
  const list = nameList(['corruxion', 'fluxion', 'constructor'], { description: 'Names.', example: ['fluxion'] });

  it('keeps the requested order and removes duplicates', () => {
    expect(list.parse('fluxion,corruxion')).toEqual(['fluxion', 'corruxion']);
    expect(list.parse(' fluxion , fluxion,corruxion')).toEqual(['fluxion', 'corruxion']);
  });

  it.each(['', ',', 'fluxion,', 'Fluxion', 'fluxion;corruxion', 'toString', '__proto__', 'fluxion\u0000'])('rejects %j', (text) => {
    expect(list.safeParse(text).success).toBe(false);
  });

  it('reports each unknown name', () => {
    const issues = list.safeParse('nope,fluxion,none').error?.issues ?? [];
    expect(issues.map((issue) => issue.code === 'custom' && issue.params?.value)).toEqual(['nope', 'none']);
  });
});
