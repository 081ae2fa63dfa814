import { describe, expect, it } from 'vitest';
import { scanSource } from '../../../scripts/lib/source-scan.ts';

describe('scanSource', () => {
  it.each([
    ["import a from './a.ts'", './a.ts', ['default'], false],
    ["import a, { b } from './a.ts'", './a.ts', ['default', 'b'], false],
    ["import * as a from './a.ts'", './a.ts', ['*'], false],
    ["import { b as c } from './a.ts'", './a.ts', ['b'], false],
    ["import type { B } from './a.ts'", './a.ts', ['B'], true],
    ["import { type B, type C } from './a.ts'", './a.ts', ['B', 'C'], true],
    ["import { type B, c } from './a.ts'", './a.ts', ['B', 'c'], false],
    ["import './a.ts'", './a.ts', [], false],
    ["export * from './a.ts'", './a.ts', ['*'], false],
    ["export type { B } from './a.ts'", './a.ts', ['B'], true],
    ["export { b as c } from './a.ts'", './a.ts', ['b'], false],
    ["const a = await import('./a.ts')", './a.ts', ['*'], false],
    ["let a: import('./a.ts').A", './a.ts', ['*'], true],
  ])('%s', (text, specifier, names, isTypeOnly) => {
    expect(scanSource(text).imports).toEqual([{ specifier, names, isTypeOnly, line: 1 }]);
  });

  it('is not misled by comments, strings, templates and regular expressions', () => {
    const text = `// import a from './a.ts'\nconst s = "import b from './b.ts'"; const t = \`import c from './c.ts'\`; const r = /'/; const d = 1 / 2;\nexport const e = s;`;
    expect(scanSource(text).imports).toEqual([]);
  });
});
