import { pathToFileURL } from 'node:url';

/** Imports a script of a page below `src/assets`, such as `ui/dom.js`. Page scripts have no types, so the path is computed. */
// biome-ignore lint/suspicious/noExplicitAny: page scripts have no types.
export const pageScript = (name: string): Promise<any> =>
  import(/* @vite-ignore */ pathToFileURL(`${process.cwd()}/src/assets/`).href + name);

/** A `localStorage` in memory, and its values by key. */
export function memoryStorage() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return { storage, stored };
}
