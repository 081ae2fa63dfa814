import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkWords } from './lib/checks/words.ts';
import { runMain } from './lib/main.ts';
import { inRoot, ROOT } from './lib/paths.ts';

/** Fails when a text, a title or a name contains a replaced wording (scripts/lib/checks/words.data.ts). */
await runMain(() => {
  const paths = execFileSync('git', ['ls-files', '-z', 'src', 'scripts', 'test', 'clients', 'docs', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => /\.(?:tsx?|md)$/.test(path) && !path.endsWith('.d.ts'));
  const files = new Map(paths.map((path) => [path, readFileSync(inRoot(path), 'utf8')]));
  const problems = checkWords(files);
  for (const problem of problems) console.error(problem);
  console.log(`words: ${files.size} files, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
});
