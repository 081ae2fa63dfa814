import { describe, expect, it } from 'vitest';
import { type AcceptedChange, unacceptedChanges } from '../../../scripts/lib/openapi/openapi-released.ts';
import { SURFACE } from './openapi-pairs.surface.ts';

const [pair] = SURFACE;
if (!pair) throw new Error('no pair');
const problems = (...accepted: AcceptedChange[]) => unacceptedChanges({ accepted, document: pair.before }, pair.breaking);

describe('unacceptedChanges', () => {
  it('reports a breaking change that is not accepted', () => {
    expect(problems()).toEqual([expect.stringContaining(pair.rule)]);
  });

  it('ignores a change that is accepted by rule or by location', () => {
    expect(problems({ rule: pair.rule, reason: 'nothing is deployed' })).toEqual([]);
    expect(problems({ rule: pair.rule, detail: 'another one', reason: 'nothing is deployed' })).toHaveLength(2);
  });

  it('reports an accepted change without a match', () => {
    const accepted: AcceptedChange[] = [{ rule: pair.rule, reason: 'nothing is deployed' }];
    expect(unacceptedChanges({ accepted, document: pair.before }, pair.before)).toEqual([
      expect.stringContaining('accepted change without a match'),
    ]);
  });
});
