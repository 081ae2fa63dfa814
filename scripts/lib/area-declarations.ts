import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { TableDeclarations } from '../../src/platform/kit/table-declaration.ts';
import { inRoot } from './paths.ts';

/** Files and names of the exports of a kind of declaration. */
const KINDS = {
  scopes: { files: 'src/areas/*/*.{scopes,settings}.ts', name: /Scopes$/ },
  settings: { files: 'src/areas/*/*.{scopes,settings}.ts', name: /Settings$/ },
  /** Also those of the platform. */
  tables: { files: 'src/**/*.tables.ts', name: /Tables$/ },
};

/** Declarations of every area. Reads the folders of the areas, because `composition.ts` needs the Workers runtime. */
export async function areaDeclarations<Declaration>(kind: keyof typeof KINDS): Promise<Declaration[]> {
  const { files, name } = KINDS[kind];
  const paths = globSync(files, { cwd: inRoot() }).sort();
  const modules = await Promise.all(paths.map((path) => import(pathToFileURL(inRoot(path)).href)));
  return modules.flatMap((module: object) =>
    Object.entries(module)
      .filter(([key]) => name.test(key))
      .map(([, declaration]) => declaration),
  );
}

/** The declarations of all tables of the database. */
export async function tableDeclarations(): Promise<TableDeclarations> {
  return Object.assign({}, ...(await areaDeclarations<TableDeclarations>('tables')));
}
