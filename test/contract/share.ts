import { env } from 'cloudflare:workers';

/** Whether this is `npm run test:long`. */
export const IS_LONG_RUN = env.FUZZ_SCALE !== undefined;

/** One of the inputs that every endpoint treats the same, in turn by the place of the endpoint; all inputs in `npm run test:long`. */
export function shareOf<T>(place: number, inputs: readonly T[]): readonly T[] {
  if (IS_LONG_RUN) return inputs;
  const at = place % inputs.length;
  return inputs.slice(at, at + 1);
}
