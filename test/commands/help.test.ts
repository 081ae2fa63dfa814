import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const names = Object.entries(scripts).flatMap(([name, command]) => (/run\.mjs \S+$/.test(command) ? [name] : []));

it('finds the scripts', () => expect(names.length).toBeGreaterThan(15));

it.each(names)('describes npm run %s on --help without running it', (name) => {
  const text = execFileSync(process.execPath, ['scripts/run.mjs', name, '--help'], { encoding: 'utf8', timeout: 20_000 });
  expect(text).toMatch(new RegExp(`npm (?:run )?${name}\\b[^\\n]*\\n {2}\\S`));
  expect(text).not.toMatch(/[`|]/);
});
