/** An error that is printed without a stack. */
export class UserError extends Error {}

/** Whether `parseArgs` threw the error. */
const isInvalidOption = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

/** Runs a script's main function. On an error, prints the message (UserError, invalid options) or the stack (other errors) and exits with 1. */
export async function runMain(main: () => Promise<void> | void): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError || isInvalidOption(error) ? error.message : error);
    process.exitCode = 1;
  }
}
