import { type Charge, isRefused } from '../../access/limits/window.ts';
import type { AccessServices } from '../../access/policy/admission.ts';
import type { Access } from '../../access/policy/policy.ts';
import type { GateResult } from '../../access/tokens/token-gate.contract.ts';
import type { Settings } from '../../settings/settings.data.ts';

/** Kinds of access that read only limits from the settings. */
const KINDS: readonly Access['kind'][] = ['public', 'tokenless', 'optional-token', 'token', 'any-token', 'address'];

export const canAdmitEarly = ({ kind }: Access): boolean => KINDS.includes(kind);

type Admit<Decision> = (settings: Settings, services: AccessServices) => Promise<Decision>;

/** An admission that started before the current settings were read. */
export interface EarlyAdmission<Decision> {
  /** The decision. If it depends on a setting that has another value, the request is admitted again and keeps its count. */
  under(settings: Settings): Promise<Decision>;
}

/** Starts `admit` with the settings that are expected, and notes which of them it reads. */
export function admitEarly<Decision>(expected: Settings, services: AccessServices, admit: Admit<Decision>): EarlyAdmission<Decision> {
  const names = new Set<keyof Settings>();
  const observed = new Proxy(expected, {
    get(values, name) {
      names.add(name as keyof Settings);
      return Reflect.get(values, name) as unknown;
    },
  });
  const counting = countOnce(services);
  // A refusal is thrown when the settings confirm it.
  const outcome = admit(observed, counting).then(
    (decision) => () => decision,
    (error: unknown) => () => {
      throw error;
    },
  );
  return {
    async under(settings) {
      const decide = await outcome;
      return [...names].every((name) => expected[name] === settings[name]) ? decide() : admit(settings, counting);
    },
  };
}

/** Services that count a request once per counter and window, also when it is admitted again with another limit. */
function countOnce({ limiter, gate, ...services }: AccessServices): AccessServices {
  const charges = new Map<string, Charge>();
  const replies = new Map<string, GateResult>();
  return {
    ...services,
    limiter: {
      ...limiter,
      async charge(key, rateLimit, now) {
        const counter = JSON.stringify([key, rateLimit.windowSeconds]);
        const counted = charges.get(counter);
        if (counted) return { ...counted, rateLimit };
        const charge = await limiter.charge(key, rateLimit, now);
        if (!isRefused(charge)) charges.set(counter, charge);
        return charge;
      },
    },
    gate: {
      ...gate,
      async admit(token, call) {
        const counter = `${call.counter} ${call.windowSeconds}`;
        const counted = replies.get(counter);
        if (counted) return counted;
        const reply = await gate.admit(token, call);
        if ('used' in reply && reply.used <= call.limit) replies.set(counter, reply);
        return reply;
      },
    },
  };
}
