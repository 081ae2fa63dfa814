import { describe, expect, it } from 'vitest';
import { type UndoStep, withStep } from '../../../../src/areas/portal/tools/frame/undo.domain.ts';

const chain = (max: number, ...steps: UndoStep<number>[]) =>
  steps.reduce<UndoStep<number>[]>((done, step) => withStep(done, step, max), []);

describe('withStep', () => {
  it('joins changes of one source in a row, which are undone to the value before the first', () => {
    expect(chain(9, { before: 1, source: 'title' }, { before: 2, source: 'title' }, { before: 3, source: 'title' })).toEqual([
      { before: 1, source: 'title' },
    ]);
  });

  it('keeps changes of different sources, and changes without a source, as steps of their own', () => {
    const steps = [
      { before: 1, source: 'title' },
      { before: 2, source: 'notes' },
      { before: 3 },
      { before: 4 },
      { before: 5, source: 'title' },
    ];
    expect(chain(9, ...steps)).toEqual(steps);
  });

  it('drops the oldest step beyond the maximum', () => {
    expect(chain(2, { before: 1 }, { before: 2 }, { before: 3 })).toEqual([{ before: 2 }, { before: 3 }]);
  });
});
