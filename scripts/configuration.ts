import { readFileSync, writeFileSync } from 'node:fs';
import { SECRETS, VARIABLES } from '../src/platform/settings/variables.data.ts';
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
      row(`\`${name}\``, value === '' ? 'empty' : `\`${value}\``, meaning),
    ),
  ];
}

function secretsTable(): string[] {
  return ['| Secret | Meaning |', '|---|---|', ...Object.entries(SECRETS).map(([name, { meaning }]) => row(`\`${name}\``, meaning))];
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Replaces the lines between the markers of a part. */
function withPart(text: string, name: string, lines: readonly string[]): string {
  const [start, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/operations/configuration.md has no part ${name}`);
  return `${text.slice(0, from + start.length)}\n${lines.join('\n')}\n\n${text.slice(to)}`;
}
