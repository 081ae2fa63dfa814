import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

/** Folder of the tools: each has a folder with a script of its page, and may have scripts of workers. */
const TOOLS_FOLDER = join('src', 'areas', 'portal', 'tools');
/** Folder below the assets. */
const TARGET = 'ui/tools';
/** Script of many pages. Tools import it from where it is served, so a browser loads it once. */
const SHARED_SCRIPT = 'assets/ui/dom.js';
const SHARED_IMPORT = /(["'])(?:\.\.\/)+assets(\/ui\/dom\.js)\1/g;

/**
 * The scripts of the tools, each with the pure files of the areas that it uses: `<tool>/<tool>.browser.ts` for the page,
 * `<tool>/<name>-work.browser.ts` for a worker. Path below the assets to text.
 */
export function bundleTools(root: string): Map<string, string> {
  const entryPoints = entriesBelow(join(root, TOOLS_FOLDER));
  if (entryPoints.length === 0) return new Map();
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    outdir: TARGET,
    entryNames: '[name]',
    external: [`*/${SHARED_SCRIPT}`],
    write: false,
    logLevel: 'error',
  });
  return new Map(
    outputFiles.map(({ path, text }) => {
      const name = basename(path).replace('.browser.js', '.js');
      return [`${TARGET}/${name}`, text.replaceAll(SHARED_IMPORT, '$1$2$1')];
    }),
  );
}

function entriesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: tool }) =>
      readdirSync(join(folder, tool))
        .filter((name) => name === `${tool}.browser.ts` || name.endsWith('-work.browser.ts'))
        .map((name) => join(folder, tool, name)),
    )
    .sort();
}
