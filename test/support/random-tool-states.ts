import { type Fields, readState } from '../../src/areas/portal/tools/frame/state.domain.ts';
import { pick, type RandomSource } from '../../src/platform/kit/random.ts';

/** A state of a tool from texts as links contain them, one of the choices for each field. Throws if a field refuses a choice. */
export function randomState<State>(
  fields: Fields<State>,
  choices: Partial<Record<keyof State, readonly string[]>>,
  random: RandomSource,
): State {
  const pairs = Object.entries(choices).map(([name, texts]) => `${name}=${encodeURIComponent(pick(random, texts as readonly string[]))}`);
  const { state, ignored } = readState(fields, pairs.join('&'));
  if (ignored.length > 0) throw new Error(`the fields refuse ${ignored.join(', ')}`);
  return state;
}

const FLAG = ['0', '1'];

export const flags = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, FLAG])) as Record<Name, string[]>;
