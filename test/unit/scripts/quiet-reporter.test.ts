import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestCase, TestModule, Vitest } from 'vitest/node';
import QuietReporter, { isExpectedLine } from '../../support/quiet-reporter.ts';

const PROVOKED = 'exception = a.rs:1: disconnected: Connection refused (os error 111)';

describe('isExpectedLine', () => {
  it('accepts a line only while a suite that provokes it runs', () => {
    expect(isExpectedLine(PROVOKED, ['test/worker/upstream/client.test.ts'])).toBe(true);
    expect(isExpectedLine(PROVOKED, ['test/unit/gems/a.test.ts'])).toBe(false);
    expect(isExpectedLine('something new', ['test/worker/upstream/client.test.ts'])).toBe(false);
  });

  it('accepts the stack of a line', () => {
    expect(isExpectedLine('stack: workerd@1', [])).toBe(true);
  });
});

describe('QuietReporter', () => {
  const { stdout, stderr } = process;
  const originals = { out: stdout.write, err: stderr.write, code: process.exitCode };
  let printed = '';

  beforeEach(() => {
    printed = '';
    stdout.write = ((text: string) => {
      printed += text;
      return true;
    }) as typeof stdout.write;
  });

  afterEach(() => {
    vi.useRealTimers();
    stdout.write = originals.out;
    stderr.write = originals.err;
    process.exitCode = originals.code;
  });

  const module = { moduleId: '/root/test/worker/gems/a.test.ts', errors: () => [], children: { allSuites: () => [] } };

  function run(line: string, state: 'passed' | 'failed'): string[] {
    const reporter = new QuietReporter();
    reporter.onInit({ config: { root: '/root' } } as Vitest);
    reporter.onTestRunStart([module]);
    reporter.onTestModuleQueued(module as unknown as TestModule);
    if (line !== '') process.stdout.write(`${line}\n`);
    const errors = state === 'failed' ? [{ message: 'expected 1 to be 2', stacks: [] }] : [];
    const test = { module, fullName: 'a gem is level 1', result: () => ({ state, errors }) };
    reporter.onTestCaseResult(test as unknown as TestCase);
    reporter.onTestModuleEnd(module as unknown as TestModule);
    reporter.onTestRunEnd([], [], state);
    return printed.trim().split('\n');
  }

  it('holds back a line that the suite provokes', () => {
    expect(run(PROVOKED, 'passed').at(-1)).toBe('1 passed, 0 failed');
    expect(printed).not.toContain('refused');
    expect(process.exitCode).toBe(originals.code);
  });

  it('fails the run for any other line, and names the files that ran', () => {
    const lines = run('kj/async-io.c++:1: failed: something new', 'passed');
    expect(lines.at(-1)).toBe('1 passed, 1 failed');
    expect(printed).toContain('something new\n    while these ran: test/worker/gems/a.test.ts');
    expect(process.exitCode).toBe(1);
  });

  it('tells a failure within the last 30 lines', () => {
    const end = run('', 'failed').slice(-30).join('\n');
    expect(end).toContain('FAILED test/worker/gems/a.test.ts > a gem is level 1\n  expected 1 to be 2');
    expect(end).toMatch(/0 passed, 1 failed$/);
  });

  it('names a failure before the run ends', () => {
    const lines = run('', 'failed');
    expect(lines.slice(0, 2)).toEqual(['1 test files', 'failed: test/worker/gems/a.test.ts > a gem is level 1']);
  });

  it('prints the last lines of the console of a failed test', () => {
    const reporter = new QuietReporter();
    reporter.onInit({ config: { root: '/root' } } as Vitest);
    for (const [id, state] of [
      ['1', 'passed'],
      ['2', 'failed'],
    ] as const) {
      const content = `${Array.from({ length: 20 }, (_, line) => `line ${line} of test ${id}`).join('\n')}\n`;
      reporter.onUserConsoleLog({ taskId: id, content, type: 'stdout', time: 0, size: 1 });
      const test = { id, module, fullName: `test ${id}`, result: () => ({ state, errors: [{ message: 'wrong' }] }) };
      reporter.onTestCaseResult(test as unknown as TestCase);
    }
    reporter.onTestRunEnd([], [], 'failed');
    const lines = printed.split('\n').filter((line) => line.startsWith('  | '));
    expect([lines.length, lines.at(-1)]).toEqual([12, '  | line 19 of test 2']);
  });

  it('names the place in the source file of a failure in workerd', () => {
    // The second line comes from the fifth one of the source.
    const map = { version: 3, sources: ['a.test.ts'], names: [], mappings: 'AAAA;AAIA' };
    const ssr = { moduleGraph: { getModuleById: () => ({ transformResult: { map } }) } };
    const project = { config: { pool: 'cloudflare-pool' }, vite: { environments: { ssr } } };
    const errors = [{ message: 'wrong', stacks: [{ file: module.moduleId, line: 2, column: 1 }] }];
    const test = { module, project, fullName: 'test', result: () => ({ state: 'failed', errors }) };
    const reporter = new QuietReporter();
    reporter.onInit({ config: { root: '/root' } } as Vitest);
    reporter.onTestCaseResult(test as unknown as TestCase);
    reporter.onTestRunEnd([], [], 'failed');
    expect(printed).toContain('  at test/worker/gems/a.test.ts:5:1\n');
  });

  it('tells progress until the end of a run of 50 minutes, in at most 40 lines', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const reporter = new QuietReporter();
    reporter.onInit({ config: { root: '/root' } } as Vitest);
    reporter.onTestRunStart(Array.from({ length: 600 }, () => module));
    for (let file = 0; file < 600; file += 1) {
      vi.advanceTimersByTime(5000);
      reporter.onTestModuleEnd(module as unknown as TestModule);
    }
    reporter.onTestRunEnd([], [], 'passed');
    const lines = printed.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Number(/, (\d+) s$/.exec(lines.at(-3) ?? '')?.[1])).toBeGreaterThan(2400);
  });
});
