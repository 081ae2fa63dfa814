import { describe, expect, it } from 'vitest';
import { checkCircles, findCircles, findFolderCircles } from '../../../scripts/lib/checks/circles.ts';

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

describe('findFolderCircles', () => {
  const circlesOfFolders = (files: Record<string, string>) => findFolderCircles(new Map(Object.entries(files)));

  it('finds two folders of an area that import each other through different files', () => {
    const files = {
      'areas/a/one/a.domain.ts': "import './../two/a.domain.ts';",
      'areas/a/one/b.domain.ts': '',
      'areas/a/two/a.domain.ts': '',
      'areas/a/two/b.domain.ts': "import type { B } from '../one/b.domain.ts';",
    };
    expect(circlesOfFolders(files)).toEqual([['areas/a/one', 'areas/a/two']]);
    expect(checkCircles(new Map(Object.entries(files)))).toEqual([
      'src/areas/a/one  folders import each other in a circle: areas/a/one, areas/a/two',
    ]);
  });

  it("finds a folder that imports a file of the area's own folder, whose other files import it", () => {
    expect(
      circlesOfFolders({
        'areas/a/a.domain.ts': '',
        'areas/a/a.service.ts': "import './one/b.store.ts';",
        'areas/a/one/b.store.ts': "import '../a.domain.ts';",
      }),
    ).toEqual([['areas/a', 'areas/a/one']]);
  });

  it('does not count the index of an area, and counts that of a folder', () => {
    const store = "import '../a.domain.ts';";
    expect(
      circlesOfFolders({ 'areas/a/a.domain.ts': '', 'areas/a/index.ts': "import './one/b.store.ts';", 'areas/a/one/b.store.ts': store }),
    ).toEqual([]);
    expect(
      circlesOfFolders({
        'areas/a/one/index.ts': "import '../two/b.store.ts';",
        'areas/a/two/b.store.ts': "import '../one/c.domain.ts';",
        'areas/a/one/c.domain.ts': '',
      }),
    ).toEqual([['areas/a/one', 'areas/a/two']]);
  });

  it('counts a folder of a folder as one of its own, and not the folders of other areas', () => {
    expect(
      circlesOfFolders({
        'areas/a/one/a.domain.ts': "import './deep/b.domain.ts';",
        'areas/a/one/deep/b.domain.ts': "import '../../../b/one/c.domain.ts';",
        'areas/b/one/c.domain.ts': "import '../../a/one/a.domain.ts';",
      }),
    ).toEqual([]);
  });
});
