import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { ApiError, bodyTooLarge, errorText, type FieldProblem, validationError } from '../../../src/platform/errors/api-error.ts';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../../src/platform/errors/catalogue.ts';
import { nearestOf } from '../../../src/platform/errors/nearest.ts';
import { nameList } from '../../../src/platform/http/pipeline/query-schemas.ts';
import { readQuery, validated } from '../../../src/platform/http/pipeline/validation.ts';

/** Problems of the 422 that validating throws. */
function problemsOf(schema: z.ZodType, source: 'body' | 'query' | 'path', input: unknown): FieldProblem[] {
  try {
    validated(schema, source, input);
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.details as FieldProblem[];
  }
  throw new Error('no 422 was thrown');
}

describe('validated', () => {
  it('gives what the schema made of the input', () => {
    expect(validated(z.object({ a: z.string().transform(Number) }), 'query', { a: '5', b: '6' })).toEqual({ a: 5 });
  });

  it('names the way to every field that is wrong', () => {
    const schema = z.object({ list: z.array(z.object({ n: z.number() })), name: z.string() });
    expect(problemsOf(schema, 'body', { list: [{ n: 1 }, { n: 'x' }], name: 5 })).toMatchObject([
      { loc: ['body', 'list', 1, 'n'], type: 'invalid_type' },
      { loc: ['body', 'name'], type: 'invalid_type' },
    ]);
  });

  it('says that a field is missing rather than of a wrong type', () => {
    expect(problemsOf(z.object({ name: z.string() }), 'body', {})).toEqual([
      { loc: ['body', 'name'], msg: 'is required', type: 'missing' },
    ]);
    expect(problemsOf(z.object({ name: z.string() }), 'body', { name: null })[0]?.type).toBe('invalid_type');
  });

  it.each([[null], [[]], ['text'], [5], [true]])('refuses %j for an object', (input) => {
    expect(problemsOf(z.object({ name: z.string() }), 'body', input)[0]).toMatchObject({ loc: ['body'], type: 'invalid_type' });
  });

  it('lists what is allowed, with the nearest of it', () => {
    const schema = z.object({ class: z.enum(['knight', 'gunslinger', 'fae_trickster']) });
    expect(problemsOf(schema, 'query', { class: 'gunslingr' })[0]).toMatchObject({
      loc: ['query', 'class'],
      allowed: ['knight', 'gunslinger', 'fae_trickster'],
      nearest: 'gunslinger',
    });
    expect(problemsOf(schema, 'query', { class: 'zzzzzzzzzzzz' })[0]).not.toHaveProperty('nearest');
  });

  it('does so for each name of a list', () => {
    const schema = z.object({ types: nameList(['corruxion', 'fluxion'], { description: 'Names.', example: 'fluxion' }) });
    expect(problemsOf(schema, 'query', { types: 'fluxon,corruxion,corrux' })).toEqual([
      {
        loc: ['query', 'types'],
        msg: 'unknown name: fluxon',
        type: 'invalid_value',
        allowed: ['corruxion', 'fluxion'],
        nearest: 'fluxion',
      },
      {
        loc: ['query', 'types'],
        msg: 'unknown name: corrux',
        type: 'invalid_value',
        allowed: ['corruxion', 'fluxion'],
        nearest: 'corruxion',
      },
    ]);
  });

  it('lists at most twenty problems', () => {
    expect(
      problemsOf(
        z.array(z.number()),
        'body',
        Array.from({ length: 500 }, () => 'x'),
      ),
    ).toHaveLength(20);
  });
});

describe('readQuery', () => {
  it('reads the known parameters and ignores all others', () => {
    expect(readQuery(new URLSearchParams('a=1&b=2&c=3&c=4'), ['a', 'b', 'd'])).toEqual({ a: '1', b: '2' });
  });

  it('leaves out parameters with an empty value, and empty values of a list', () => {
    expect(readQuery(new URLSearchParams('a=&b&c= &d=&d=1&e='), ['a', 'b', 'c', 'd', 'e'], new Set(['d', 'e']))).toEqual({
      c: ' ',
      d: ['1'],
    });
  });

  it('refuses a parameter given twice, naming each', () => {
    const run = () => readQuery(new URLSearchParams('a=1&a=1&b=2&b=3&c=4'), ['a', 'b', 'c']);
    expect(run).toThrow(
      validationError([
        { loc: ['query', 'a'], msg: 'may be given only once', type: 'repeated' },
        { loc: ['query', 'b'], msg: 'may be given only once', type: 'repeated' },
      ]),
    );
  });
});

describe('nearestOf', () => {
  const names = ['server-time', 'daily-buffs', 'weekly-buffs', 'corruxion'];

  it.each([
    ['servertime', 'server-time'],
    ['Corruxion', 'corruxion'],
    ['daily-buff', 'daily-buffs'],
    ['corrruxion', 'corruxion'],
  ])('for %s it is %s', (value, nearest) => {
    expect(nearestOf(value, names)).toBe(nearest);
  });

  it('has no answer for what is like nothing, empty or absurdly long', () => {
    expect(nearestOf('qqqqqqqqqqqqqq', names)).toBeUndefined();
    expect(nearestOf('', names)).toBeUndefined();
    expect(nearestOf('c'.repeat(65), names)).toBeUndefined();
    expect(nearestOf('corruxion', [])).toBeUndefined();
  });
});

describe('the error envelope', () => {
  it('has code and message, and details where there are any', () => {
    expect(errorText(new ApiError('not_found', 'no such path'))).toBe('{"error":{"code":"not_found","message":"no such path"}}');
    expect(errorText(new ApiError('rate_limited', 'm', { details: { limit: 1 } }))).toBe(
      '{"error":{"code":"rate_limited","message":"m","details":{"limit":1}}}',
    );
  });

  it('takes the status of the catalogue unless told otherwise', () => {
    for (const code of ERROR_CODES) expect(new ApiError(code, '').status).toBe(ERROR_CATALOGUE[code].status);
    expect([bodyTooLarge(10).status, bodyTooLarge(10).code, bodyTooLarge(10).details]).toEqual([413, 'bad_request', { limit_bytes: 10 }]);
  });

  it('names the first problem of several in the message', () => {
    const problem = (name: string): FieldProblem => ({ loc: ['body', name], msg: 'is required', type: 'missing' });
    expect(validationError([problem('a')]).message).toBe('body.a: is required');
    expect(validationError([problem('a'), problem('b')]).message).toBe('body.a: is required (and 1 more)');
    expect(validationError([]).message).toBe('the request is not valid');
  });
});
