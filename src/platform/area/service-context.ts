import type { AreaContext } from './area.ts';

type LoadContext = (env: Env) => Promise<AreaContext>;

let load: LoadContext = () => Promise.reject(new Error('the entry of the Worker sets the service'));

/** Sets the function that composes the service on first use. The entry of the Worker calls it, because only composition knows all areas. */
export function setServiceContext(loader: LoadContext): void {
  load = loader;
}

/** The context of the service of this isolate, for Durable Objects of areas. Composes the service on first use. */
export function serviceContext(env: Env): Promise<AreaContext> {
  return load(env);
}
