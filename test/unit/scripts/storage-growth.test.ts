import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = 'docs/operations/storage-growth.md';

describe('storage-growth.md', () => {
  it('has one line for every table', () => {
    const declared = globSync('src/**/*.tables.ts')
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/sqliteTable\(\s*'(\w+)'/g)])
      .map(([, name]) => name);
    const listed = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(declared.sort());
  });

  it('says of each table for how long rows are kept and where they go', () => {
    const lines = readFileSync(PAGE, 'utf8').match(/^\| `\w+` \|.*$/gm) ?? [];
    expect(
      lines.filter((line) => line.split('|').some((cell, index, all) => index > 0 && index < all.length - 1 && cell.trim() === '')),
    ).toEqual([]);
    expect(lines.every((line) => line.split('|').length === 8)).toBe(true);
  });
});
