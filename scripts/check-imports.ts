import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkKinds, checkSources } from './lib/checks/import-check.ts';
import { checkTimers } from './lib/checks/object-timers.ts';
import { checkTestClocks } from './lib/checks/test-clocks.ts';
import { runMain } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

/**
 * Fails on forbidden imports in `src/`, on files of areas without a kind, on timers in files that a Durable Object loads, and on tests that depend on real time. Biome
 * (biome.json) checks the rules that depend on one path only.
 */
await runMain(() => {
  const sources = readSources(inRoot('src'));
  const tests = new Map([...readSources(inRoot('test'))].map(([path, text]) => [`test/${path}`, text]));
  const problems = [...checkSources(sources), ...checkKinds(sources.keys()), ...checkTimers(sources), ...checkTestClocks(tests)];
  for (const problem of problems) console.error(problem);
  console.log(`imports: ${sources.size} files, ${tests.size} files of tests, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
});

/** TypeScript files below the folder, without generated declarations. */
function readSources(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')]));
}
