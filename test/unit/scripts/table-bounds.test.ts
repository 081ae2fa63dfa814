import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FILES = globSync('src/**/*.tables.ts');

describe('a table in *.tables.ts', () => {
  it('has a comment with its bound', () => {
    const unbounded = FILES.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...text.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export const (\w+) = sqliteTable\(/g)]
        .filter(([, comment]) => !/\bBound: \S+/.test(comment ?? ''))
        .map(([, , name]) => `${file}: ${name}`);
    });
    expect(FILES.length).toBeGreaterThan(20);
    expect(unbounded).toEqual([]);
  });
});
