// `npm run NAME -- [VARIANT] [ARGUMENTS]`: runs a script of this folder. Imports no packages, so it can report missing ones; without
// a name it only checks for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areModulesInstalled, ROOT, requireNode } from './lib/modules.mjs';

/** The file of each script with its first arguments, or the file of each variant. `default` is used for arguments without a variant. */
const SCRIPTS = {
  archive: { sync: 'archive/sync.ts', import: 'archive/import.ts' },
  assets: 'build-assets.ts',
  backup: 'backup.ts',
  bench: {
    default: 'http',
    http: 'bench/http.ts',
    events: 'bench/events.ts',
    streams: 'bench/streams.ts',
    webhooks: 'bench/webhooks.ts',
    objects: 'bench/objects.ts',
    ocr: 'bench/ocr.ts',
    startup: 'bench/startup.ts',
    memory: 'bench/memory.ts',
    distance: 'bench/distance.ts',
    scale: '../test/scale/run.ts',
  },
  bundle: 'bundle.ts',
  configuration: 'configuration.ts',
  clients: ['../test/journeys/run.ts', 'clients'],
  check: { default: 'sources', sources: 'check.ts', objects: 'check-objects.ts', generators: 'check-generators.ts' },
  corpus: '../test/corpus/run.ts',
  deploy: 'deploy/deploy.ts',
  dumps: { watch: 'dumps/watch.ts' },
  e2e: '../test/e2e/run.ts',
  journeys: '../test/journeys/run.ts',
  migrations: 'migrations.ts',
  mods: 'mods.ts',
  ocr: { corpus: '../test/ocr/corpus.ts', eval: '../test/ocr/eval.ts' },
  'second-factor': { reset: 'second-factor-reset.ts' },
  setup: 'setup.ts',
  smoke: ['../test/journeys/run.ts', 'smoke'],
  snippets: ['../test/journeys/run.ts', 'snippets'],
  stories: ['../test/journeys/run.ts', 'stories'],
  test: 'test.ts',
  'test:long': {
    default: 'fuzz',
    fuzz: '../test/long/run.ts',
    kill: '../test/kill/codexes.ts',
    'kill-inserts': '../test/kill/inserts.ts',
    'kill-backfills': '../test/kill/backfills.ts',
    'kill-publish': '../test/kill/publish.ts',
    'kill-webhooks': '../test/kill/webhooks.ts',
    skew: '../test/skew/skew.ts',
  },
  token: 'token.ts',
  types: 'types.ts',
  upstreams: 'upstreams.ts',
};

/** The file to run and its arguments; null after printing the variants. */
function choose(name, [first, ...rest]) {
  const script = SCRIPTS[name];
  if (typeof script === 'string' || Array.isArray(script)) {
    const [file, ...args] = [script].flat();
    return { file, args: [...args, first, ...rest].filter((arg) => arg !== undefined) };
  }
  const { default: fallback, ...variants } = script;
  if (Object.hasOwn(variants, first ?? '')) return { file: variants[first], args: rest };
  const isOption = first === undefined || first.startsWith('-');
  if (isOption && fallback) return { file: variants[fallback], args: first === undefined ? [] : [first, ...rest] };
  if (!isOption) console.error(`Unknown variant "${first}".`);
  console.error(
    `Usage: npm run ${name} -- ${Object.keys(variants).join('|')} [arguments]${fallback ? `  (without a variant: ${fallback})` : ''}`,
  );
  process.exitCode = 1;
  return null;
}

/** The rows of a script in the table of commands, without Markdown. */
function helpOf(name) {
  const page = readFileSync(join(ROOT, 'docs/operations/commands.md'), 'utf8');
  const command = new RegExp(`npm (?:run )?${name}(?![\\w:-])`);
  const rows = page.split('\n').filter((line) => line.startsWith('|') && command.test(line.split('|')[1]));
  return rows.map((row) => {
    const [command, ...description] = row.split('|').slice(1, -1);
    const text = description.join('|').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
    return `${command.trim()}\n  ${text.trim()}`.replaceAll('`', '');
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (!areModulesInstalled()) fail('The dependencies are missing or outdated: run npm start or npm ci first.');
requireNode();
const [name, ...args] = process.argv.slice(2);
if (name !== undefined) {
  if (!Object.hasOwn(SCRIPTS, name)) fail(`Unknown script "${name}"; scripts: ${Object.keys(SCRIPTS).join(', ')}.`);
  const help = args.includes('--help') ? helpOf(name) : [];
  if (help.length > 0) console.log(help.join('\n\n'));
  const chosen = help.length > 0 ? null : choose(name, args);
  if (chosen) {
    const file = join(ROOT, 'scripts', chosen.file);
    process.argv = [process.execPath, file, ...chosen.args];
    await import(pathToFileURL(file).href);
  }
}
