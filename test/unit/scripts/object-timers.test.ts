import { describe, expect, it } from 'vitest';
import { checkTimers } from '../../../scripts/lib/checks/object-timers.ts';

const check = (files: Record<string, string>, allowed: Record<string, string> = {}) => checkTimers(new Map(Object.entries(files)), allowed);
const INDEX = "export { A } from './a.object.ts';\nimport type { T } from './types.ts';";

describe('checkTimers', () => {
  it.each([
    'const timer = setTimeout(write, 3000);',
    'this.#timer ??= setTimeout(() => {',
    'const renewal = setInterval(renew, 1000);',
    'await scheduler.wait(10);',
    "import { setTimeout as sleep } from 'node:timers/promises';",
  ])('reports %j in a file that an object loads', (line) => {
    expect(check({ 'index.ts': INDEX, 'a.object.ts': "import { b } from './b.ts';", 'b.ts': `// first\n${line}` })).toEqual([
      'src/b.ts:2  a timer keeps an object in memory: use its alarm',
    ]);
  });

  it('accepts comments, types and files that no object loads', () => {
    const files = {
      'index.ts': INDEX,
      'a.object.ts': '// setTimeout(x, 1)\nlet timer: ReturnType<typeof setTimeout>;\nclearTimeout(timer);',
      'types.ts': 'setTimeout(x, 1);',
      'page.ts': 'setTimeout(x, 1);',
    };
    expect(check(files)).toEqual([]);
  });

  it('accepts a listed file, and reports a listed file without a timer', () => {
    const files = { 'index.ts': INDEX, 'a.object.ts': 'setTimeout(x, 1);' };
    expect(check(files, { 'a.object.ts': 'cleared' })).toEqual([]);
    expect(check({ 'index.ts': INDEX, 'a.object.ts': '' }, { 'a.object.ts': 'cleared' })).toEqual([
      expect.stringContaining('delete its entry'),
    ]);
  });
});
