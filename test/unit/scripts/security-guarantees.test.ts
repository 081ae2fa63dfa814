import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';

const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const [, section = ''] = /\n## Guarantees\n(.*?)\n## /s.exec(text) ?? [];
const guarantees = [...section.matchAll(/^- \*\*(.+?)\.\*\*/gm)].map(([, name = '']) => name);
const rows = [...text.matchAll(/^\| (.+?) \| `(test\/.+?\.ts)` \| (.+) \|$/gm)].map(([, guarantee = '', file = '', title = '']) => ({
  guarantee,
  file,
  title,
}));

describe('SECURITY.md', () => {
  it('names at least one test for each guarantee, and no other', () => {
    expect(guarantees.length).toBeGreaterThan(10);
    expect([...new Set(rows.map(({ guarantee }) => guarantee))]).toEqual(guarantees);
  });

  it.each(rows)('names the test "$title" of $file by its title', ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path), `${file} does not exist`).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(`'${title}'`);
  });
});
