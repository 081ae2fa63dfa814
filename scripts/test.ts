import { existsSync, globSync, readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.ts';
import { runTests } from './lib/vitest.ts';

/** The suites over every endpoint, which a run of areas restricts to the endpoints of these areas. */
const ENDPOINT_SUITES = ['test/contract/access-and-fuzz.test.ts', 'test/contract/conformance.test.ts'];

/**
 * `npm test [-- WORD… OPTIONS]`: runs all tests, or the files whose path contains a word. A word that names an area also selects the tests
 * of every endpoint of the area. Options are those of vitest.
 */
const args = process.argv.slice(2);
const end = args.findIndex((arg) => arg.startsWith('-'));
const words = end < 0 ? args : args.slice(0, end);
const paths = words.flatMap(pathsOfArea);
if (paths.length > 0) process.env.ENDPOINT_PATHS = [...new Set(paths)].join(' ');
runTests('vitest.config.ts', ...(paths.length > 0 ? ENDPOINT_SUITES : []), ...args);

/** The paths of the routes of an area, which declares them literally; none for another word. */
function pathsOfArea(name: string): string[] {
  const folder = inRoot('src', 'areas', name);
  if (!/^[\w-]+$/.test(name) || !existsSync(folder)) return [];
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) => readFileSync(inRoot('src', 'areas', name, file), 'utf8'));
  return files.flatMap((text) => [...text.matchAll(/^\s*path: '([^']+)'/gm)].map(([, path = '']) => path));
}
