import { describe, expect, it } from 'vitest';
import { findCircles } from '../../../scripts/lib/checks/circles.ts';

const circlesOf = (files: Record<string, string>) => findCircles(new Map(Object.entries(files)));

describe('findCircles', () => {
  it('finds two files that import each other, also types only and by import()', () => {
    expect(circlesOf({ 'a.ts': "import { b } from './b.ts';", 'b.ts': "import type { A } from './a.ts';" })).toEqual([['a.ts', 'b.ts']]);
    expect(circlesOf({ 'a.ts': "import { b } from './b.ts';", 'b.ts': "const load = () => import('./a.ts');" })).toEqual([
      ['a.ts', 'b.ts'],
    ]);
  });

  it('finds a circle of three files, without the files that lead to it and from it', () => {
    const files = {
      'start.ts': "import './a.ts';",
      'a.ts': "import './b.ts';",
      'b.ts': "import './c.ts';\nimport './end.ts';",
      'c.ts': "import './a.ts';",
      'end.ts': '',
    };
    expect(circlesOf(files)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });

  it('reports two circles that one import connects as two', () => {
    const files = {
      'a.ts': "import './b.ts';",
      'b.ts': "import './a.ts';\nimport './c.ts';",
      'c.ts': "import './d.ts';",
      'd.ts': "import './c.ts';",
    };
    expect(circlesOf(files)).toEqual([
      ['a.ts', 'b.ts'],
      ['c.ts', 'd.ts'],
    ]);
  });

  it('accepts imports in one direction', () => {
    expect(circlesOf({ 'a.ts': "import './b.ts';\nimport './c.ts';", 'b.ts': "import './c.ts';", 'c.ts': '' })).toEqual([]);
  });
});
