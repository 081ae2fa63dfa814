import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { choice, nameList } from '../../../src/platform/http/pipeline/query-schemas.ts';
import { readQuery, validate } from '../../../src/platform/http/pipeline/validation.ts';
import {
  ApiError,
  bodyTooLarge,
  ERROR_CATALOGUE,
  ERROR_CODES,
  errorText,
  type FieldProblem,
  validationError,
} from '../../../src/platform/kit/errors/api-error.ts';
import { notOneOf } from '../../../src/platform/kit/errors/input-error.ts';

/** Problems of the 422 that validating throws. */
function problemsOf(schema: z.ZodType, source: 'body' | 'query' | 'path', input: unknown): FieldProblem[] {
  try {
    validate(schema, source, input);
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.details as FieldProblem[];
  }
  throw new Error('no 422 was thrown');
}

describe('validate', () => {
  it('returns the output of the schema', () => {
    expect(validate(z.object({ a: z.string().transform(Number) }), 'query', { a: '5', b: '6' })).toEqual({ a: 5 });
  });

  it('names the path of every invalid field', () => {
    const schema = z.object({ list: z.array(z.object({ n: z.number() })), name: z.string() });
    expect(problemsOf(schema, 'body', { list: [{ n: 1 }, { n: 'x' }], name: 5 })).toMatchObject([
      { loc: ['body', 'list', 1, 'n'], type: 'invalid_type' },
      { loc: ['body', 'name'], type: 'invalid_type' },
    ]);
  });

  it('reports a missing field as missing, not as a wrong type', () => {
    expect(problemsOf(z.object({ name: z.string() }), 'body', {})).toEqual([
      { loc: ['body', 'name'], msg: 'is required', type: 'missing' },
    ]);
    expect(problemsOf(z.object({ name: z.string() }), 'body', { name: null })[0]?.type).toBe('invalid_type');
  });

  it.each([[null], [[]], ['text'], [5], [true]])('rejects %j where an object is expected', (input) => {
    expect(problemsOf(z.object({ name: z.string() }), 'body', input)[0]).toMatchObject({ loc: ['body'], type: 'invalid_type' });
  });

  it('lists the allowed values and the nearest one', () => {
    const schema = z.object({ class: z.enum(['knight', 'gunslinger', 'fae_trickster']) });
    expect(problemsOf(schema, 'query', { class: 'gunslingr' })[0]).toMatchObject({
      loc: ['query', 'class'],
      allowed: ['knight', 'gunslinger', 'fae_trickster'],
      nearest: 'gunslinger',
    });
    expect(problemsOf(schema, 'query', { class: 'zzzzzzzzzzzz' })[0]).not.toHaveProperty('nearest');
  });

  it('reports each invalid name of a list with the nearest allowed name', () => {
    const schema = z.object({ types: nameList(['corruxion', 'fluxion'], { description: 'Names.', example: ['fluxion'] }) });
    expect(problemsOf(schema, 'query', { types: 'fluxon,corruxion,corrux' })).toEqual([
      {
        loc: ['query', 'types'],
        msg: 'must be one of corruxion, fluxion, not "fluxon"',
        type: 'invalid_value',
        allowed: ['corruxion', 'fluxion'],
        nearest: 'fluxion',
      },
      {
        loc: ['query', 'types'],
        msg: 'must be one of corruxion, fluxion, not "corrux"',
        type: 'invalid_value',
        allowed: ['corruxion', 'fluxion'],
        nearest: 'corruxion',
      },
    ]);
  });

  it('lists at most 20 problems', () => {
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

  it('omits parameters with an empty value and empty items of a list', () => {
    expect(readQuery(new URLSearchParams('a=&b&c= &d=&d=1&e='), ['a', 'b', 'c', 'd', 'e'], new Set(['d', 'e']))).toEqual({
      c: ' ',
      d: ['1'],
    });
  });

  it('rejects repeated parameters and names each one', () => {
    const run = () => readQuery(new URLSearchParams('a=1&a=1&b=2&b=3&c=4'), ['a', 'b', 'c']);
    expect(run).toThrow(
      validationError([
        { loc: ['query', 'a'], msg: 'must be given only once', type: 'repeated' },
        { loc: ['query', 'b'], msg: 'must be given only once', type: 'repeated' },
      ]),
    );
  });
});

describe('notOneOf', () => {
  const names = ['server-time', 'daily-buffs', 'weekly-buffs', 'corruxion'];
  const nearestOf = (value: unknown, allowed: readonly (string | number)[]) => notOneOf(['query', 'name'], value, allowed).nearest;

  it('names the field, the value, its kind and the allowed values', () => {
    expect(notOneOf(['body', 'list', 0], 'corrux', ['corruxion', 'fluxion'])).toEqual({
      loc: ['body', 'list', 0],
      msg: 'must be one of corruxion, fluxion, not "corrux"',
      type: 'invalid_value',
      allowed: ['corruxion', 'fluxion'],
      nearest: 'corruxion',
    });
    expect(notOneOf(['body', 'n'], 5, [1, 2])).toEqual({
      loc: ['body', 'n'],
      msg: 'must be one of 1, 2, not 5',
      type: 'invalid_value',
      allowed: [1, 2],
    });
    expect(notOneOf(['body', 'n'], { a: 1 }, [1, 2]).msg).toBe('must be one of 1, 2');
  });

  it('bounds the length of its message', () => {
    const { msg, allowed } = notOneOf(
      ['query', 'name'],
      'x'.repeat(5000),
      Array.from({ length: 200 }, (_, index) => `name ${index}`),
    );
    expect(msg).toBe(`must be one of the 200 values in allowed, not "${'x'.repeat(60)}…"`);
    expect(allowed).toHaveLength(200);
  });

  it.each([
    ['servertime', 'server-time'],
    ['Corruxion', 'corruxion'],
    ['CORRUXION', 'corruxion'],
    ['daily-buff', 'daily-buffs'],
    ['corrruxion', 'corruxion'],
    ['daily', 'daily-buffs'],
    ['server-time-zone', 'server-time'],
  ])('suggests the nearest value for %s: %s', (value, nearest) => {
    expect(nearestOf(value, names)).toBe(nearest);
  });

  it('suggests nothing for dissimilar, empty, very long and non-string values', () => {
    expect(nearestOf('qqqqqqqqqqqqqq', names)).toBeUndefined();
    expect(nearestOf('buffs-timed', names)).toBeUndefined();
    expect(nearestOf('', names)).toBeUndefined();
    expect(nearestOf('c', names)).toBeUndefined();
    expect(nearestOf('c'.repeat(65), names)).toBeUndefined();
    expect(nearestOf('corruxion', [])).toBeUndefined();
    expect(nearestOf(3, [1, 2])).toBeUndefined();
  });

  it.each(['na', 'e', 'asia', 'ea'])('suggests none of eu, us and pts for %s', (value) => {
    expect(nearestOf(value, ['eu', 'us', 'pts'])).toBeUndefined();
  });

  it('suggests short names that differ by case or by one missing letter', () => {
    expect([nearestOf('EU', ['eu', 'us', 'pts']), nearestOf('pt', ['eu', 'us', 'pts'])]).toEqual(['eu', 'pts']);
  });
});

describe('choice', () => {
  const schema = z.object({
    sort: choice(['name', '-name'], { code: 'bad_request', description: 'Order.', example: 'name' }).optional(),
    branch: choice(['live', 'pts'], { code: 'not_found', description: 'Branch.', example: 'live' }).default('live'),
    env: choice(['eu', 'us'], { description: 'Environment.', example: 'eu' }).optional(),
  });
  const errorOf = (input: unknown) => {
    try {
      return validate(schema, 'query', input);
    } catch (error) {
      return error instanceof ApiError ? { status: error.status, code: error.code, message: error.message, details: error.details } : error;
    }
  };
  const sort = notOneOf(['query', 'sort'], 'nam', ['name', '-name']);
  const branch = notOneOf(['query', 'branch'], 'test', ['live', 'pts']);
  const env = notOneOf(['query', 'env'], 'na', ['eu', 'us']);

  it('accepts each of its values', () => {
    expect(errorOf({ sort: '-name' })).toEqual({ sort: '-name', branch: 'live' });
  });

  it.each([
    [{ sort: 'nam' }, 400, 'bad_request', sort],
    [{ branch: 'test' }, 404, 'not_found', branch],
    [{ env: 'na' }, 422, 'validation_error', env],
  ])('rejects %j with the declared status', (input, status, code, problem) => {
    expect(errorOf(input)).toEqual({ status, code, message: `${problem.loc.join('.')}: ${problem.msg}`, details: [problem] });
  });

  it('reports every problem, with 422 when any problem has status 422', () => {
    expect(errorOf({ sort: 'nam', branch: 'test' })).toMatchObject({ status: 400, details: [sort, branch] });
    expect(errorOf({ sort: 'nam', branch: 'test', env: 'na' })).toMatchObject({ status: 422, details: [sort, branch, env] });
  });
});

describe('error envelope', () => {
  it('has code, message, hint and doc_url, and details where there are any', () => {
    const textOf = (error: ApiError) => errorText(error, 'https://api.test');
    expect(textOf(new ApiError('not_found', 'path not found', { hint: 'did you mean /v1?' }))).toBe(
      '{"error":{"code":"not_found","message":"path not found","hint":"did you mean /v1?","doc_url":"https://api.test/docs/errors#not_found"}}',
    );
    expect(JSON.parse(textOf(new ApiError('rate_limited', 'm', { details: { limit: 1 } })))).toEqual({
      error: {
        code: 'rate_limited',
        message: 'm',
        details: { limit: 1 },
        hint: ERROR_CATALOGUE.rate_limited.hint,
        doc_url: 'https://api.test/docs/errors#rate_limited',
      },
    });
  });

  it('uses the status of the error catalogue unless one is given', () => {
    for (const code of ERROR_CODES) expect(new ApiError(code, '').status).toBe(ERROR_CATALOGUE[code].status);
    expect([bodyTooLarge(10).status, bodyTooLarge(10).code, bodyTooLarge(10).details]).toEqual([413, 'bad_request', { limit_bytes: 10 }]);
  });

  it('names the first of several problems in the message', () => {
    const problem = (name: string): FieldProblem => ({ loc: ['body', name], msg: 'is required', type: 'missing' });
    expect(validationError([problem('a')]).message).toBe('body.a: is required');
    expect(validationError([problem('a'), problem('b')]).message).toBe('body.a: is required (and 1 more)');
    expect(validationError([]).message).toBe('invalid request');
  });
});
