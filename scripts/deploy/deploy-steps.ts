import { UserError } from '../lib/main.ts';

/** The failure of a step, which says what stands and how to go on. */
export class StepError extends UserError {}

export interface Step {
  /** What was being done, such as `applying the migrations`. */
  name: string;
  /** What has happened and what has not. */
  stands: string;
  /** What to run next. */
  next: string;
}

/**
 * Runs a step of a deployment. Adds the step, what stands and what to run next to a failure without them, also to a UserError, which
 * `runStep` of other commands passes on: here it is the refusal of a request, which knows nothing of the deployment.
 */
export async function runDeployStep<Result>({ name, stands, next }: Step, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof StepError) throw error;
    throw new StepError(`${error.message}\n\nFailed: ${name}\nNow:    ${stands}\nNext:   ${next}`);
  }
}
