import { withOneRepeat } from '../kit/errors/infrastructure-fault.ts';
import { OBJECT_REPEATS, type Repeat } from './object-repeats.data.ts';

type Method = (...args: unknown[]) => Promise<unknown>;
type Options = DurableObjectNamespaceGetDurableObjectOptions;
/** What a namespace or a test's substitute for one has. */
type Named = { getByName(name: string, options?: Options): object };

/**
 * Objects whose calls follow one rule: a call that failed in the platform is repeated once with a fresh stub if `OBJECT_REPEATS` says that
 * its method may be repeated. An overloaded object is not called again.
 */
export function reachObjects<Objects extends Named>(objects: Objects, repeats: Readonly<Record<string, Repeat>>): Objects {
  return {
    getByName(name: string, options?: Options): object {
      const stub = () => objects.getByName(name, options) as Record<string, Method>;
      return new Proxy({} as Record<string, Method>, {
        get(_, method) {
          const repeat = typeof method === 'string' && Object.hasOwn(repeats, method) ? repeats[method] : undefined;
          if (repeat === undefined) return Reflect.get(stub(), method);
          return (...args: unknown[]) =>
            withOneRepeat(
              async () => stub()[method as string]?.(...args),
              (fault) => repeat !== 'never' && (fault === 'retryable' || repeat === 'safe'),
            );
        },
      });
    },
  } as unknown as Objects;
}

/** The objects of one binding, called by the rule of `reachObjects`. */
export function objectsOf<Name extends keyof typeof OBJECT_REPEATS>(env: Pick<Env, Name>, name: Name): Env[Name] {
  return reachObjects(env[name], OBJECT_REPEATS[name]);
}

/** Bindings whose objects are called by the rule of `reachObjects`. */
export function withReachableObjects<Bindings extends Env>(env: Bindings): Bindings {
  const names = Object.keys(OBJECT_REPEATS) as (keyof typeof OBJECT_REPEATS)[];
  return { ...env, ...Object.fromEntries(names.filter((name) => env[name]).map((name) => [name, objectsOf(env, name)])) };
}
