import { describe, expect, it } from 'vitest';
import { type AcceptedChange, unacceptedChanges } from '../../../scripts/lib/openapi/openapi-released.ts';
import { SURFACE } from './openapi-pairs.surface.ts';

const [pair] = SURFACE;
if (!pair) throw new Error('no pair');
const problems = (...accepted: AcceptedChange[]) => unacceptedChanges({ accepted, document: pair.before }, pair.breaking);

describe('the released document', () => {
  it('lets no breaking change pass that nobody accepted', () => {
    expect(problems()).toEqual([expect.stringContaining(pair.rule)]);
  });

  it('lets an accepted one pass, by its rule or more exactly', () => {
    expect(problems({ rule: pair.rule, reason: 'nothing is deployed' })).toEqual([]);
    expect(problems({ rule: pair.rule, detail: 'another one', reason: 'nothing is deployed' })).toHaveLength(2);
  });

  it('refuses an acceptance of what has not changed', () => {
    const accepted: AcceptedChange[] = [{ rule: pair.rule, reason: 'nothing is deployed' }];
    expect(unacceptedChanges({ accepted, document: pair.before }, pair.before)).toEqual([
      expect.stringContaining('accepted, but not there'),
    ]);
  });
});
