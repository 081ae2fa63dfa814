import { PLATFORM_FAULTS, type PlatformFailure } from './platform.ts';

const ALL = PLATFORM_FAULTS.flatMap((fault) => [`${fault} once`, `${fault} from then on`]);
const IN_TURN = 'each kind in turn';

/** Kinds of outages: in the long tests each at every request, else one kind for each request. */
export const OUTAGES: readonly string[] = process.env.LONG_TESTS ? ALL : [IN_TURN];

/** The order that makes the request `at` fail. */
export function outageAt(outage: string, at: number): PlatformFailure {
  const kind = outage === IN_TURN ? (ALL[at % ALL.length] ?? '') : outage;
  const fault = PLATFORM_FAULTS.find((name) => kind.startsWith(name)) ?? 'error-500';
  return { at, fault, lasts: !kind.endsWith('once') };
}
