import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from './paths.ts';

/**
 * Declarations of every area in its `*.<kind>.ts` file. Reads the folders of the areas, because `composition.ts` needs the Workers
 * runtime.
 */
export async function areaDeclarations<Declaration>(kind: 'scopes' | 'settings'): Promise<Declaration[]> {
  const areas = inRoot('src', 'areas');
  const files = readdirSync(areas)
    .map((area) => join(areas, area, `${area}.${kind}.ts`))
    .filter((file) => existsSync(file));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((module: object) => Object.values(module));
}
