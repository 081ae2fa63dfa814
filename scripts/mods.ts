import { namesOfFlags, readFlags } from '../src/game/mod-categories.domain.ts';
import { runMain, UserError } from './lib/main.ts';
import { buildMod, type CheckedMod, readMod, unpackMod } from './lib/mod-folder.ts';
import { runStep } from './lib/steps.ts';
import { writeWholeFile } from './lib/whole-files.ts';

const USAGE = `Usage:
  npm run mods -- read FILE.tmod          lists properties and files
  npm run mods -- read FILE.tmod FOLDER   unpacks it into a new folder
  npm run mods -- build FOLDER [FILE]     packs such a folder; by default into <title>.tmod`;

/** `npm run mods`: reads and builds .tmod files on the command line, with the codec of the service. */
await runMain(async () => {
  const [command, source, target, ...more] = process.argv.slice(2);
  if (source === undefined || more.length > 0) throw new UserError(USAGE);
  if (command === 'read') return read(source, target);
  if (command === 'build') return build(source, target);
  throw new UserError(USAGE);
});

async function read(file: string, folder: string | undefined): Promise<void> {
  const mod = await readMod(file);
  if (folder === undefined) return describe(mod);
  const remarks = await unpackMod(mod, folder);
  for (const remark of remarks) console.error(remark);
  if (remarks.length > 0) process.exitCode = 1;
  console.log(`${folder}: ${mod.files.length} files`);
}

function describe({ version, properties, files }: CheckedMod): void {
  console.log(`version ${version}`);
  for (const [name, value] of properties) console.log(`${name}: ${JSON.stringify(value)}`);
  const categories = namesOfFlags(readFlags(Object.fromEntries(properties).flags));
  console.log(`categories: ${categories.join(', ') || 'none'}`);
  for (const { path, content, isValid } of files) {
    console.log(`${String(content.length).padStart(10)}  ${isValid ? 'ok   ' : 'WRONG'}  ${JSON.stringify(path)}`);
  }
  if (!files.every(({ isValid }) => isValid)) process.exitCode = 1;
}

async function build(folder: string, target: string | undefined): Promise<void> {
  const { bytes, filename } = buildMod(folder);
  const file = target ?? filename;
  await runStep({ name: `Writing ${file}`, standing: 'The file is as it was. Run the command again.' }, () => writeWholeFile(file, bytes));
  console.log(`${file}: ${bytes.length} bytes`);
}
