import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, SerializedError, TestCase, TestModule, TestProject, TestRunEndReason, Vitest } from 'vitest/node';
import { OTHER_LINES, PROVOKED_LINES } from './runtime-lines.data.ts';

/** Lines of progress of a whole run: with the summary less than 40. An hour has fewer. */
const MAX_PROGRESS_LINES = 32;
/** Shortest time between two lines of progress, and the number of lines after which it doubles. */
const MIN_PROGRESS_MS = 10_000;
const LINES_PER_DOUBLING = 5;
/** Failures printed in full, and lines of each: the last one is within the last 30 lines of a run. */
const MAX_TOLD = 20;
const MAX_LINES_OF_FAILURE = 12;
/** Lines of the console of a failed test: its last ones. */
const MAX_CONSOLE_LINES = 12;
const MAX_UNEXPECTED = 5;
const MAX_COLUMNS = 200;
/** How long after the end of a file the runtime may print its lines. */
const LATE_MS = 20_000;
/** Time that the runtimes have to stop after the last file. */
const STOP_TIMEOUT_MS = 15_000;

/** Whether a running suite provokes the line of the runtime. */
export function isExpectedLine(line: string, runningFiles: readonly string[]): boolean {
  if (line.trim() === '' || OTHER_LINES.some((pattern) => pattern.test(line))) return true;
  return PROVOKED_LINES.some(
    ({ pattern, suites }) => pattern.test(line) && runningFiles.some((file) => suites.some((suite) => file.startsWith(suite))),
  );
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

interface Place {
  file: string;
  line: number;
  column: number;
}

/** The place in the source file. The test runner finds it under Node, and names the place in the transformed file for tests in workerd. */
function sourceOf(place: Place, project: TestProject | undefined): Place {
  if (project?.config.pool !== 'cloudflare-pool') return place;
  const map = project.vite.environments.ssr?.moduleGraph.getModuleById(place.file)?.transformResult?.map;
  if (!map) return place;
  const origin = new SourceMap(map as SourceMapPayload).findEntry(place.line - 1, place.column - 1);
  return 'originalLine' in origin ? { file: place.file, line: origin.originalLine + 1, column: origin.originalColumn + 1 } : place;
}

/** The first lines of an error: message, difference and place. */
function storyOf(errors: readonly SerializedError[], root: string, project?: TestProject): string[] {
  return errors.flatMap((error) => {
    const lines = stripVTControlCharacters(`${error.message ?? error}`).split('\n');
    const difference = error.diff ? stripVTControlCharacters(String(error.diff)).split('\n') : [];
    const places = (error.stacks ?? []).slice(0, 3).map((place: Place) => {
      const { file, line, column } = sourceOf(place, project);
      return `at ${relative(root, file)}:${line}:${column}`;
    });
    const room = MAX_LINES_OF_FAILURE - places.length;
    return [...[...lines, ...difference].slice(0, room), ...places].map((line) => `  ${line}`.slice(0, MAX_COLUMNS));
  });
}

/**
 * Prints few lines: progress and the names of failures while the tests run, then each failure, and a summary that ends with
 * `N passed, N failed, N skipped`. Holds back the lines of the runtime. Lines that no suite provokes fail the run.
 */
export default class QuietReporter implements Reporter {
  #root = '';
  #startedAt = 0;
  #toldAt = 0;
  #progressLines = 0;
  #filesDone = 0;
  #files = 0;
  #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #running = new Set<string>();
  /** Files that have ended, with the time of the end: the runtime may print their lines late. */
  readonly #ended = new Map<string, number>();
  /** Lines that no suite provokes, with the files that ran or had just ended. */
  readonly #unexpected = new Map<string, readonly string[]>();
  readonly #failures: string[][] = [];
  /** Lines of the console of tests that run or failed, by test. */
  readonly #consoles = new Map<string, string[]>();
  #stopping: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #print = (line: string): void => void process.stdout.write(`${line}\n`);

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    const write = process.stdout.write.bind(process.stdout);
    this.#print = (line) => void write(`${line}\n`);
    for (const stream of [process.stdout, process.stderr]) this.#hold(stream);
  }

  /** Takes the lines that anything else writes to the stream. */
  #hold(stream: NodeJS.WriteStream): void {
    let rest = '';
    stream.write = ((chunk: string | Uint8Array, ...others: unknown[]) => {
      const lines = (rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(stripVTControlCharacters(line));
      const done = others.at(-1);
      if (typeof done === 'function') done();
      return true;
    }) as typeof stream.write;
  }

  #receive(line: string): void {
    if (this.#hasEnded) return;
    const now = performance.now();
    const recent = [...this.#ended].filter(([, endedAt]) => now - endedAt < LATE_MS).map(([file]) => file);
    const files = [...this.#running, ...recent];
    const text = line.slice(0, MAX_COLUMNS);
    if (!isExpectedLine(line, files) && !this.#unexpected.has(text)) this.#unexpected.set(text, files);
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#startedAt = performance.now();
    this.#toldAt = this.#startedAt;
    this.#files = specifications.length;
    this.#print(`${this.#files} test files`);
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.add(relative(this.#root, module.moduleId));
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'pending') return;
    this.#counts[state] += 1;
    if (state === 'failed') this.#fail(`${relative(this.#root, test.module.moduleId)} > ${test.fullName}`, errors, test.project, test.id);
    this.#consoles.delete(test.id);
  }

  onUserConsoleLog({ taskId = '', content }: UserConsoleLog): void {
    const lines = stripVTControlCharacters(content).trimEnd().split('\n');
    const all = [...(this.#consoles.get(taskId) ?? []), ...lines.map((line) => `  | ${line}`.slice(0, MAX_COLUMNS))];
    this.#consoles.set(taskId, all.slice(-MAX_CONSOLE_LINES));
  }

  /** Names the failure at once, because a run may take minutes. The end of the run tells it in full. */
  #fail(title: string, errors: readonly SerializedError[], project?: TestProject, testId = ''): void {
    if (!this.#hasEnded && this.#failures.length < MAX_TOLD) this.#print(`failed: ${title}`);
    this.#failures.push([`FAILED ${title}`, ...storyOf(errors, this.#root, project), ...(this.#consoles.get(testId) ?? [])]);
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(this.#root, module.moduleId);
    this.#running.delete(file);
    this.#ended.set(file, performance.now());
    this.#filesDone += 1;
    this.#failSuites(module, file);
    this.#tellProgress();
    if (this.#filesDone === this.#files) this.#stopLater();
  }

  /** Last resort: ends the run when all files have ended and a runtime does not confirm the end of its last file. */
  #stopLater(): void {
    this.#stopping = setTimeout(() => {
      this.onTestRunEnd([], [], this.#counts.failed > 0 ? 'failed' : 'passed');
      this.#print(`WARNING: a runtime did not respond within ${seconds(STOP_TIMEOUT_MS)} after the last file; the run ended without it`);
      process.exit(this.#counts.failed > 0 ? 1 : 0);
    }, STOP_TIMEOUT_MS);
  }

  /** Errors outside of tests: of the file, and of hooks of its suites. */
  #failSuites(module: TestModule, file: string): void {
    for (const suite of [module, ...module.children.allSuites()]) {
      const errors = suite.errors();
      if (errors.length === 0) continue;
      this.#counts.failed += 1;
      this.#fail('fullName' in suite ? `${file} > ${suite.fullName}` : file, errors, module.project);
    }
  }

  #tellProgress(): void {
    const now = performance.now();
    // Later lines come further apart, so that a run of an hour still tells its progress.
    const wait = MIN_PROGRESS_MS * 2 ** Math.floor(this.#progressLines / LINES_PER_DOUBLING);
    if (now - this.#toldAt < wait || this.#progressLines >= MAX_PROGRESS_LINES) return;
    this.#toldAt = now;
    this.#progressLines += 1;
    const { passed, failed } = this.#counts;
    this.#print(
      `${this.#filesDone} of ${this.#files} files, ${passed + failed} tests, ${failed} failed, ${seconds(now - this.#startedAt)}`,
    );
  }

  /** Prints the first unexpected lines of the runtime, which fail the run. */
  #tellUnexpected(): void {
    if (this.#unexpected.size === 0) return;
    this.#counts.failed += 1;
    process.exitCode = 1;
    this.#print(
      `FAILED ${this.#unexpected.size} unexpected lines of the runtime (test/support/runtime-lines.data.ts lists the expected ones)`,
    );
    for (const [line, files] of [...this.#unexpected].slice(0, MAX_UNEXPECTED)) {
      this.#print(`  ${line}`);
      this.#print(`    while these ran: ${files.join(' ')}`.slice(0, 2 * MAX_COLUMNS));
    }
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    clearTimeout(this.#stopping);
    this.#hasEnded = true;
    for (const error of unhandled) this.#fail('outside of a test', [error]);
    this.#tellUnexpected();
    for (const lines of this.#failures.slice(0, MAX_TOLD)) for (const line of lines) this.#print(line);
    if (this.#failures.length > MAX_TOLD) this.#print(`${this.#failures.length - MAX_TOLD} more failures`);
    if (reason === 'interrupted') this.#print('interrupted');
    // A run that fails without a failed test must not look green.
    if (reason === 'failed' && this.#counts.failed === 0) this.#counts.failed = 1;
    this.#print(`${this.#filesDone} of ${this.#files} files, ${seconds(performance.now() - this.#startedAt)}`);
    const { passed, failed, skipped } = this.#counts;
    this.#print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
