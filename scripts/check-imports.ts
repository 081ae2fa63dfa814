import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkCircles } from './lib/checks/circles.ts';
import { checkKinds, checkSources } from './lib/checks/import-check.ts';
import { checkTimers } from './lib/checks/object-timers.ts';
import { checkSqlCase } from './lib/checks/sql-case.ts';
import { checkTestClocks } from './lib/checks/test-clocks.ts';
import { runMain } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

/**
 * Fails on forbidden imports and circles of imports in `src/`, on files of areas without a kind, on timers in files that a Durable Object loads, on SQL that folds letters outside ASCII, and on tests that depend on real time. Biome
 * (biome.json) checks the rules that depend on one path only.
 */
await runMain(() => {
  const sources = readSources(inRoot('src'));
  const tests = prefixed('test', readSources(inRoot('test')));
  const sql = new Map([...prefixed('src', sources), ...prefixed('migrations', readSources(inRoot('migrations'), /\.sql$/))]);
  const problems = [
    ...checkSources(sources),
    ...checkCircles(sources),
    ...checkKinds(sources.keys()),
    ...checkTimers(sources),
    ...checkSqlCase(sql),
    ...checkTestClocks(tests),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`imports: ${sources.size} files, ${tests.size} files of tests, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
});

function prefixed(folder: string, files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].map(([path, text]) => [`${folder}/${path}`, text]));
}

/** Files below the folder, by default of TypeScript, without generated declarations. */
function readSources(folder: string, names = /\.tsx?$/): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')]));
}
