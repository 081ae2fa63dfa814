import { basename, resolve } from 'node:path';
import { withBranch } from '../lib/archive/branch-work.ts';
import { checkFolderImport, type FolderImportResult, importFolder } from '../lib/archive/import-folder.ts';
import { ARCHIVE_OPTIONS, ARCHIVE_OPTIONS_HELP, readArchiveOptions } from '../lib/archive/options.ts';
import { parseOptions, runMain, UserError } from '../lib/main.ts';

const USAGE = `Usage: npm run archive -- import <DIR> --branch <live-us|pts> [options]

  <DIR>                 an unpacked folder of the game: prefabs, languages, blueprints and any other files
  --tag <TAG>           tag of the version (default: name of the folder)
  --roots <a,b>         replace only these folders of the current version and keep the others
${ARCHIVE_OPTIONS_HELP}

The folder is the whole version: files that it lacks are removed. Can be stopped at any time and run again: it goes on where it was.`;

/** Parses the command line of `npm run archive -- import`. Throws UserError. */
function parseImportOptions(args: readonly string[]) {
  const { values, positionals } = parseOptions(
    {
      args: [...args],
      allowPositionals: true,
      options: { ...ARCHIVE_OPTIONS, tag: { type: 'string' }, roots: { type: 'string' } },
    },
    USAGE,
  );
  const [dir, ...rest] = positionals;
  if (dir === undefined || rest.length > 0) throw new UserError(`Name one folder.\n\n${USAGE}`);
  const roots = values.roots === undefined ? null : values.roots.split(',').map((root) => root.replace(/\/+$/, ''));
  const folder = { dir, tag: values.tag ?? basename(resolve(dir)), roots };
  checkFolderImport(folder);
  return { ...readArchiveOptions(values, USAGE), ...folder };
}

const SKIPPED_SHOWN = 20;

/** `npm run archive -- import`: stores an unpacked folder of the game as a version. The service announces and indexes it. */
await runMain(async () => {
  const options = parseImportOptions(process.argv.slice(2));
  const result = await withBranch(options, ({ archive, store, printer, signal }) =>
    importFolder(options, {
      archive,
      store,
      parallel: options.parallel,
      now: () => Math.floor(Date.now() / 1000),
      onScan: printer.scan,
      onProgress: printer.store,
      signal,
    }),
  );
  report(options.branch, options.tag, result);
});

function report(branch: string, tag: string, result: FolderImportResult): void {
  const { skipped } = result;
  for (const { path, reason } of skipped.slice(0, SKIPPED_SHOWN)) console.error(`skipped ${path}: ${reason}`);
  if (skipped.length > SKIPPED_SHOWN) console.error(`skipped ${skipped.length - SKIPPED_SHOWN} more`);
  if (result.kind === 'known') console.log(`${branch} ${result.version.ordinal} (${tag}) has these files already.`);
  else if (result.kind === 'unchanged') console.log(`${branch}: no changes.`);
  else {
    const { ordinal, versionTag, filesAdded, filesModified, filesRemoved } = result.version;
    console.log(`${branch} ${ordinal} (${versionTag}): ${filesAdded} added, ${filesModified} modified, ${filesRemoved} removed.`);
  }
}
