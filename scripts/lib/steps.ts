import { withTimeout } from '../../src/platform/kit/tasks.ts';
import { UserError } from './main.ts';

/** A step of a command. */
export interface Step {
  /** Noun phrase with which the message begins: `The copy of users`. */
  name: string;
  /** Sentences after the reason: what stands after a failure, and how to go on. */
  standing: string;
  /** Bound of a step that waits for another machine; without one the step may take any time. */
  timeoutMs?: number;
}

/** A minute and a half more than the longest statement of D1 (30 s) with its retries. */
export const REQUEST_TIMEOUT_MS = 120_000;
/** Bound of the end of a runtime or connection, after which the command goes on without it. */
const CLOSE_TIMEOUT_MS = 15_000;

/** Runs a step. Any failure becomes a UserError that names the step, the reason, and what stands. A UserError says that itself and passes. */
export async function runStep<Result>({ name, standing, timeoutMs }: Step, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    const running = work();
    return await (timeoutMs === undefined ? running : withTimeout(running, timeoutMs, 'the request'));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${name} failed: ${reasonOf(error)}\n${standing}`);
  }
}

/** Length of the message of a failed statement, which ends with up to 1,000 characters of its SQL. */
const MAX_STATEMENT_REASON = 160;

/** The message of an error with those of its causes that it does not contain. Empty for an object that is not an error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'object' ? '' : String(error);
  if (error.name === 'DatabaseError') return error.message.replaceAll(/\s+/g, ' ').slice(0, MAX_STATEMENT_REASON);
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  if (inner === undefined) return error.message || error.name;
  const reason = reasonOf(inner);
  if (error.message === '') return reason || error.name;
  return error.message.includes(reason) ? error.message : `${error.message} (${reason})`;
}

/** Closes a runtime or a connection. Neither a failure nor a hang of this may hide the result of the command. */
export async function close(dispose: () => Promise<void>): Promise<void> {
  await withTimeout(
    Promise.resolve()
      .then(dispose)
      .catch(() => {}),
    CLOSE_TIMEOUT_MS,
    'the end of a connection',
  ).catch(() => {});
}

/**
 * Runs work that reports its progress. Throws UserError when it reports none for `timeoutMs`; the work itself is not cancelled. `standing`
 * as in `Step`.
 */
export async function whileProgressing<Result>(
  { timeoutMs, standing }: { timeoutMs: number; standing: string },
  work: (onProgress: () => void) => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let onProgress = () => {};
  const stalled = new Promise<never>((_, reject) => {
    const stop = () => reject(new UserError(`Nothing was stored for ${Math.round(timeoutMs / 1000)} s.\n${standing}`));
    onProgress = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, timeoutMs);
    };
  });
  onProgress();
  try {
    return await Promise.race([work(onProgress), stalled]);
  } finally {
    clearTimeout(timer);
  }
}
