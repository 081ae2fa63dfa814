/** An error whose message alone is meant for the person at the terminal. */
export class UserError extends Error {}

/** Runs a script's main function: an expected failure is one message, an unexpected one a stack; both exit with 1. */
export async function runMain(main: () => Promise<void> | void): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}
