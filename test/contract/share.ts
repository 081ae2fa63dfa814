import { env } from 'cloudflare:workers';

/** Whether this is `npm run test:long`. */
export const IS_LONG_RUN = env.FUZZ_SCALE !== undefined;

/** One of several equivalent inputs, selected by the index of the endpoint; all inputs in `npm run test:long`. */
export function shareOf<T>(index: number, inputs: readonly T[]): readonly T[] {
  if (IS_LONG_RUN) return inputs;
  const at = index % inputs.length;
  return inputs.slice(at, at + 1);
}
