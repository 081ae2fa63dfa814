import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { checkSqlCase } from '../../../scripts/lib/checks/sql-case.ts';
import { listMigrations } from '../../../scripts/lib/migrations.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';

const check = (files: Record<string, string>, allowed = {}) => checkSqlCase(new Map(Object.entries(files)), allowed);

describe('checkSqlCase', () => {
  it.each([
    'eq(sql`lower(author)`, author)',
    'WHERE UPPER (name) = ?',
    "index('a').on(sql`name COLLATE NOCASE`)",
    'name text collate nocase',
  ])('reports %j', (line) => {
    expect(check({ 'src/a.ts': `// first\n${line}` })).toEqual([expect.stringContaining('src/a.ts:2  ')]);
  });

  it('accepts comments and functions of the language', () => {
    expect(
      check({ 'src/a.ts': "// lower(name)\n/** NOCASE */\nfoldLower(name);\ntext.lower();\n'x'.toLowerCase()", 'a.sql': '-- upper(a)' }),
    ).toEqual([]);
  });

  it('accepts a declared file, and reports a declared file without folding', () => {
    const allowed = { 'src/a.ts': { folds: 'a.name', reason: 'ASCII' } };
    expect(check({ 'src/a.ts': 'lower(name)' }, allowed)).toEqual([]);
    expect(check({ 'src/a.ts': '' }, allowed)).toEqual([expect.stringContaining('delete its entry')]);
  });
});

it('the migration of packs keeps the folded author of stored packs', () => {
  const database = new DatabaseSync(':memory:');
  const insert = `INSERT INTO mod_packs (handle, slug, visibility, created_at, updated_at, default_variant, variant_count, mod_count, title, sort_title,
    author, tags, summary, search_text, previews, donation_urls, warnings, description, variants)
    VALUES ('a', 'b', 'public', 1, 1, 'default', 1, 1, 'T', 't', 'Émile', '[]', 's', 't' || char(10) || 's' || char(10) || 'émile', '[]', '[]', '', '', '[]')`;
  for (const name of listMigrations()) {
    if (name.endsWith('_pack_authors.sql')) database.exec(insert);
    database.exec(readFileSync(inRoot('migrations', name), 'utf8'));
  }
  expect(database.prepare('SELECT author_key FROM mod_packs').all()).toEqual([{ author_key: 'émile' }]);
});
