import { describe, expect, it } from 'vitest';
import { checkTestClocks } from '../../../scripts/lib/checks/test-clocks.ts';

const PATH = 'test/unit/a.test.ts';
const check = (text: string, allowed: Record<string, string> = {}, path = PATH) => checkTestClocks(new Map([[path, text]]), allowed);

describe('checkTestClocks', () => {
  it.each([
    'await new Promise((resolve) => setTimeout(resolve, 20));',
    'const timer = setInterval(write, 40);',
    'await scheduler.wait(10);',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    'await vi.waitFor(() => expect(ran).toBe(true));',
    'const signal = AbortSignal.timeout(1000);',
    'const now = Math.floor(Date.now() / 1000);',
    'const start = performance.now();',
  ])('reports %j', (line) => {
    expect(check(`// first\n${line}`)).toEqual([
      expect.stringMatching(/^test\/unit\/a\.test\.ts:2 {2}a test must not depend on real time/),
    ]);
  });

  it('accepts comments, types, a replaced clock, and programs that talk to a running server', () => {
    expect(
      check('// setTimeout(x, 1)\nlet timer: ReturnType<typeof setTimeout>;\nvi.setSystemTime(Date.now() + 1000);\nclearTimeout(timer);'),
    ).toEqual([]);
    expect(check('setTimeout(x, 1);', {}, 'test/stories/user.ts')).toEqual([]);
  });

  it('accepts a listed file, and reports a listed file without a clock', () => {
    expect(check('Date.now();', { [PATH]: 'why' })).toEqual([]);
    expect(check('', { [PATH]: 'why' })).toEqual([expect.stringContaining('delete its entry')]);
  });
});
