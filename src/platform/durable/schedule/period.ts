import { SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';
import { VARIABLES, type VariableName } from '../../settings/variables.data.ts';

/** Parses a period in seconds from a variable; its default if invalid. At least one minute, the tick of the scheduler. */
export function periodSeconds<Name extends VariableName>(env: Readonly<Partial<Record<Name, string>>>, name: Name): number {
  const text = env[name]?.trim() ?? '';
  return Math.max(SECONDS_PER_MINUTE, Number(/^\d{1,6}$/.test(text) ? text : VARIABLES[name].default));
}
