import { describe, expect, it } from 'vitest';
import { type BreakingRule, findBreakingChanges } from '../../../scripts/lib/openapi/openapi-compat.ts';
import type { SchemaObject } from '../../../scripts/lib/openapi/openapi-model.ts';
import { INPUT, OUTPUT } from './openapi-pairs.schemas.ts';
import { SURFACE } from './openapi-pairs.surface.ts';
import { documentOf, integer, object, ok, type Pair, refTo, responding, type Schemas, text } from './openapi-pairs.ts';

const PAIRS = [...SURFACE, ...INPUT, ...OUTPUT];
const named = (pairs: readonly Pair[]) => pairs.map((pair) => ({ ...pair, title: `${pair.rule} (${pair.what})` }));

describe('findBreakingChanges', () => {
  it.each(named(PAIRS))('reports $title', ({ rule, before, breaking }) => {
    expect(findBreakingChanges(before, breaking).map((change) => change.rule)).toContain(rule);
  });

  it.each(named(PAIRS))('accepts the harmless counterpart of $title', ({ before, harmless }) => {
    expect(findBreakingChanges(before, harmless)).toEqual([]);
  });

  it.each(named(PAIRS))('reports nothing for equal documents ($title)', ({ before, breaking, harmless }) => {
    for (const document of [before, breaking, harmless]) expect(findBreakingChanges(document, structuredClone(document))).toEqual([]);
  });

  it('has a pair for every rule', () => {
    const rules: Record<BreakingRule, true> = {
      'path-removed': true,
      'operation-removed': true,
      'parameter-removed': true,
      'parameter-required': true,
      'request-body-removed': true,
      'request-body-required': true,
      'request-content-type-removed': true,
      'request-field-removed': true,
      'request-required': true,
      'request-type-narrowed': true,
      'request-enum-narrowed': true,
      'request-bounds-narrowed': true,
      'request-pattern-narrowed': true,
      'response-status-removed': true,
      'response-content-type-removed': true,
      'response-header-removed': true,
      'response-field-removed': true,
      'response-field-optional': true,
      'response-field-nullable': true,
      'response-type-changed': true,
      'response-enum-removed': true,
      'auth-required': true,
    };
    expect(new Set(PAIRS.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)));
  });

  it('reports the location and the change', () => {
    const before = responding(object({ items: { type: 'array', items: object({ name: text }) } }));
    const after = responding(object({ items: { type: 'array', items: object({}) } }));
    expect(findBreakingChanges(before, after)).toEqual([
      {
        path: '/things/{id}',
        operation: 'POST',
        rule: 'response-field-removed',
        detail: '200 application/json.items[].name: was removed',
      },
    ]);
  });

  it('reports a removed path once, without its operations', () => {
    expect(findBreakingChanges(documentOf({ '/a': { get: ok, post: ok, put: ok } }), documentOf({}))).toHaveLength(1);
  });

  it('compares a changed alternative with the most similar one', () => {
    const cat = object({ meow: text, lives: integer }, ['meow', 'lives']);
    const dog = object({ bark: text, legs: integer }, ['bark', 'legs']);
    expect(findBreakingChanges(responding({ oneOf: [cat, dog] }), responding({ anyOf: [dog, cat] }))).toEqual([]);
    const mute = findBreakingChanges(
      responding({ oneOf: [cat, dog] }),
      responding({ oneOf: [cat, object({ bark: text, legs: integer }, ['legs'])] }),
    );
    expect(mute.map((change) => change.rule)).toEqual(['response-field-optional']);
  });

  it('compares discriminated alternatives by value: a new value is an addition', () => {
    const message = (type: string, data: SchemaObject) => object({ type: { type: 'string', enum: [type] }, data }, ['type', 'data']);
    const union = (...oneOf: SchemaObject[]) => responding({ oneOf, discriminator: { propertyName: 'type' } });
    const before = union(message('a', text), message('b', integer));
    expect(findBreakingChanges(before, union(message('a', text), message('b', integer), message('c', object({}))))).toEqual([]);
    const rulesOf = (after: ReturnType<typeof union>) => findBreakingChanges(before, after).map(({ rule }) => rule);
    expect(rulesOf(union(message('a', text), message('c', integer)))).toEqual(['response-enum-removed']);
    expect(rulesOf(union(message('a', integer), message('b', integer)))).toEqual(['response-type-changed']);
  });

  it('compares recursive schemas and reports a change inside', () => {
    const tree = (leaf: SchemaObject): Schemas => ({
      Tree: object({ children: { type: 'array', items: refTo('Tree') }, parent: { anyOf: [refTo('Tree'), { type: 'null' }] }, leaf }, [
        'leaf',
      ]),
    });
    expect(findBreakingChanges(responding(refTo('Tree'), tree(text)), responding(refTo('Tree'), tree(text)))).toEqual([]);
    const changes = findBreakingChanges(responding(refTo('Tree'), tree(text)), responding(refTo('Tree'), tree(integer)));
    expect(changes.map(({ rule, detail }) => [rule, detail])).toEqual([
      ['response-type-changed', '200 application/json.leaf: was string, may now be integer'],
    ]);
  });

  it('throws for a reference without a target', () => {
    expect(() => findBreakingChanges(responding(refTo('Gone')), responding(text))).toThrow(/unresolvable/);
    const circular = { A: refTo('B'), B: refTo('A') };
    expect(() => findBreakingChanges(responding(refTo('A'), circular), responding(text))).toThrow(/unresolvable/);
  });
});
