import { type ParseArgsConfig, parseArgs } from 'node:util';
import { cleanOutput } from './clean-output.ts';
import { startProgress } from './progress-lines.ts';

/** An error that is printed without a stack. */
export class UserError extends Error {}

/** Whether `parseArgs` threw the error. */
const isInvalidOption = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

/** Parses a command line. Throws UserError with the usage for an unknown or incomplete option. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config, usage: string): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

/** Whether the file system or the network threw the error. Its message names the call and the path. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'code' in error;

/** Time after a failure until connections that still wait for another machine are dropped. */
const EXIT_MS = 5000;

interface MainOptions {
  /** Whether the script runs until it is stopped: silence then means nothing. */
  isServer?: boolean;
}

/**
 * Runs a script's main function. On an error, prints the message (UserError, invalid options, errors of the system) or the stack (other
 * errors) and exits with 1, after at most five seconds.
 * No control characters are printed: texts come from files and other services. On a terminal, a script that prints nothing for three seconds says that it still runs.
 */
export async function runMain(main: () => Promise<void> | void, { isServer = false }: MainOptions = {}): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) cleanOutput(stream);
  const stop = isServer || !process.stderr.isTTY ? () => {} : startProgress([process.stdout, process.stderr], process.stderr);
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError || isInvalidOption(error) || isSystemError(error) ? error.message : error);
    process.exitCode = 1;
    setTimeout(() => process.exit(), EXIT_MS).unref();
  } finally {
    stop();
  }
}
