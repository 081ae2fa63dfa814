import type { Access } from '../../access/policy/policy.ts';
import type { Settings } from '../../settings/settings.data.ts';

/** Kinds of access that read only limits from the settings. */
const KINDS: readonly Access['kind'][] = ['public', 'tokenless', 'optional-token', 'token', 'any-token', 'address'];

export const canAdmitEarly = ({ kind }: Access): boolean => KINDS.includes(kind);

/** An admission that started before the settings of the isolate were read. */
export interface EarlyAdmission<Decision> {
  /** The decision, or null if it depends on a setting with another value: the request must be admitted again, and counts twice. */
  under(settings: Settings): Promise<Decision | null>;
}

/** Starts `admit` with the settings that are expected, and notes which of them it reads. */
export function admitEarly<Decision>(expected: Settings, admit: (settings: Settings) => Promise<Decision>): EarlyAdmission<Decision> {
  const names = new Set<keyof Settings>();
  const observed = new Proxy(expected, {
    get(values, name) {
      names.add(name as keyof Settings);
      return Reflect.get(values, name) as unknown;
    },
  });
  // A refusal is thrown when the settings confirm it.
  const outcome = admit(observed).then(
    (decision) => () => decision,
    (error: unknown) => () => {
      throw error;
    },
  );
  return {
    async under(settings) {
      const decide = await outcome;
      return [...names].every((name) => expected[name] === settings[name]) ? decide() : null;
    },
  };
}
