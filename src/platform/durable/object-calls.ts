import { withOneRepeat } from '../kit/errors/infrastructure-fault.ts';

/**
 * Whether a call whose reply was lost may be made again. `safe`: a repeat has the effect of one call. `keyed`: it has, because an argument
 * identifies the call. `never`: a repeat would have its effect twice.
 */
export type Repeat = 'safe' | 'keyed' | 'never';

/** Repeats by binding and method. */
type ObjectRepeats = Readonly<Record<string, Readonly<Record<string, Repeat>>>>;

let declared: ObjectRepeats = {};

/** Sets the repeats of all objects. The entry of the Worker and the composition call it, because only they know the areas. */
export function setObjectRepeats(repeats: ObjectRepeats): void {
  declared = repeats;
}

type Method = (...args: unknown[]) => Promise<unknown>;
type Options = DurableObjectNamespaceGetDurableObjectOptions;
/** What a namespace or a test's substitute for one has. */
type Named = { getByName(name: string, options?: Options): object };

/**
 * Objects whose calls follow one rule: a call that failed in the platform is repeated once with a fresh stub if its
 * method may be repeated. An overloaded object is not called again.
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
              // An unflagged fault may have come after the effect: only a call without a second effect is repeated.
              (fault) => repeat !== 'never' && (fault === 'retryable' || repeat === 'safe'),
            );
        },
      });
    },
  } as unknown as Objects;
}

/** The objects of one binding, called by the rule of `reachObjects`. */
export function objectsOf<Name extends keyof Env>(env: Pick<Env, Name>, name: Name): Env[Name] {
  return reachObjects(env[name] as Named, declared[name] ?? {}) as Env[Name];
}

/** Bindings whose objects are called by the rule of `reachObjects`. */
export function withReachableObjects<Bindings extends Env>(env: Bindings): Bindings {
  const names = (Object.keys(declared) as (keyof Env)[]).filter((name) => env[name]);
  return { ...env, ...Object.fromEntries(names.map((name) => [name, objectsOf(env, name)])) };
}
