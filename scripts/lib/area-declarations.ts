import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from './paths.ts';

const NAMES = { scopes: /Scopes$/, settings: /Settings$/ };

/**
 * Scopes or settings of every area, from the exports of its `*.settings.ts` and `*.scopes.ts` with such a name. Reads the folders of the
 * areas, because `composition.ts` needs the Workers runtime.
 */
export async function areaDeclarations<Declaration>(kind: keyof typeof NAMES): Promise<Declaration[]> {
  const areas = inRoot('src', 'areas');
  const files = readdirSync(areas)
    .flatMap((area) => [`${area}.scopes.ts`, `${area}.settings.ts`].map((name) => join(areas, area, name)))
    .filter((file) => existsSync(file));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((module: object) =>
    Object.entries(module)
      .filter(([name]) => NAMES[kind].test(name))
      .map(([, declaration]) => declaration),
  );
}
