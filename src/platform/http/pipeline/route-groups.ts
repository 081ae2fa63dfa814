import type { Endpoint } from './define-route.ts';

/**
 * Routes that are created by the first request for one of their sections. Their modules are imported at that time, because the schemas and
 * pages of all routes take most of the start-up time of an isolate.
 */
export interface LazyRoutes {
  /** Sections of the paths of the routes. */
  readonly sections: readonly string[];
  /** Imports and creates the routes. */
  load(): Promise<readonly Endpoint[]>;
}

/** A route, or several that are loaded when they are needed. */
export type Routes = Endpoint | LazyRoutes;

/** The start of a path that selects its routes: the first segment, or the first two of paths below `/v1`. */
export function sectionOf(path: string): string {
  const end = path.indexOf('/', path.startsWith('/v1/') ? '/v1/'.length : 1);
  return end < 0 ? path : path.slice(0, end);
}

/** Declares routes that `create` imports when they are needed. Throws while loading if a path is outside the sections. */
export function lazyRoutes(sections: readonly string[], create: () => Promise<readonly Endpoint[]>): LazyRoutes {
  let loaded: readonly Endpoint[] | undefined;
  return {
    sections,
    async load() {
      if (loaded) return loaded;
      const created = await create();
      const outside = created.find(({ spec }) => !sections.includes(sectionOf(spec.path)));
      if (outside) throw new Error(`${outside.spec.path} is outside the declared sections ${sections.join(', ')}`);
      // Another request may have created them during the import.
      loaded ??= created;
      return loaded;
    },
  };
}

/** Loads all lazy routes of a list and returns the routes in its order. */
export async function loadRoutes(routes: readonly Routes[]): Promise<Endpoint[]> {
  const loaded = await Promise.all(routes.map((route) => ('load' in route ? route.load() : [route])));
  return loaded.flat();
}
