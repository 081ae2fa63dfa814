import { readFileSync, writeFileSync } from 'node:fs';
import { SECRETS, VARIABLES } from '../src/platform/settings/variables.data.ts';
import { tableRow, withPart } from './lib/docs/generated-part.ts';
import { runMain, UserError } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

const PAGE = inRoot('docs', 'operations', 'configuration.md');

/** `npm run configuration`: writes the tables of docs/operations/configuration.md. `--check` only compares them. */
await runMain(() => {
  const text = readFileSync(PAGE, 'utf8');
  const generated = withPart(withPart(text, 'variables', variablesTable()), 'secrets', secretsTable());
  if (!process.argv.includes('--check')) return writeFileSync(PAGE, generated);
  if (generated !== text) throw new UserError('docs/operations/configuration.md is outdated: run npm run configuration');
});

function variablesTable(): string[] {
  return [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...Object.entries(VARIABLES).map(([name, { default: value, meaning }]) =>
      tableRow(`\`${name}\``, value === '' ? 'empty' : `\`${value}\``, meaning),
    ),
  ];
}

function secretsTable(): string[] {
  return ['| Secret | Meaning |', '|---|---|', ...Object.entries(SECRETS).map(([name, { meaning }]) => tableRow(`\`${name}\``, meaning))];
}
