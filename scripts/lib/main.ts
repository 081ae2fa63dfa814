/** An error that is printed without a stack. */
export class UserError extends Error {}

/** Runs a script's main function. On an error, prints the message (UserError) or the stack (other errors) and exits with 1. */
export async function runMain(main: () => Promise<void> | void): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}
