import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { BROWSER_FOLDERS } from '../../src/platform/http/pages/browser-folders.data.ts';
import { TYPESCRIPT_TARBALL } from '../../src/platform/http/pages/client-packages.ts';
import { ASSET_HEADERS } from '../../src/platform/http/replies/headers.ts';
import { npmTarball, pythonWheel } from './clients/install-files.ts';
import { readGuides } from './docs/guide-source.ts';
import { renderGuide } from './docs/render-guide.ts';
import { bundleTools } from './tool-scripts.ts';

/** Fonts of the images that the service draws (SIL Open Font License): name to file below the font packages. */
const FONT_FILES: Readonly<Record<string, string>> = {
  'exo-2-500.ttf': 'exo-2/500Medium/Exo2_500Medium.ttf',
  'exo-2-700.ttf': 'exo-2/700Bold/Exo2_700Bold.ttf',
  'exo-2-license.txt': 'exo-2/LICENSE_FONT',
  'open-sans-400.ttf': 'open-sans/400Regular/OpenSans_400Regular.ttf',
  'open-sans-700.ttf': 'open-sans/700Bold/OpenSans_700Bold.ttf',
  'open-sans-license.txt': 'open-sans/LICENSE_FONT',
};

export interface AssetPlan {
  /** The folder to build. Other files in it are deleted. */
  target: string;
  /** Path below `target` (with `/`) to source. */
  files: ReadonlyMap<string, AssetSource>;
}

/** A file to copy, or generated content. */
type AssetSource = string | { text: string } | { bytes: Uint8Array };

export interface AssetChanges {
  copied: string[];
  removed: string[];
}

/** Static files of `src/assets`, scripts of tools, rendered guides, the client libraries, and files of packages (OCR model, fonts). */
export function planAssets(root: string): AssetPlan {
  const files = new Map<string, AssetSource>();
  const own = join(root, 'src', 'assets');
  for (const path of listFiles(own)) files.set(path, join(own, path));
  for (const [path, text] of bundleTools(root)) files.set(path, { text });
  for (const [path, text] of guideAssets(join(root, 'docs', 'guide'))) files.set(path, { text });
  files.set('docs/assets/game_data_api.py', join(root, 'clients', 'python', 'game_data_api.py'));
  const wheel = pythonWheel(root);
  files.set(`docs/assets/${wheel.name}`, { bytes: wheel.bytes });
  files.set(`docs/assets/${TYPESCRIPT_TARBALL}`, { bytes: npmTarball(root) });
  files.set('_headers', { text: browserHeaders() });
  // Source of the changelog endpoints.
  files.set('docs/changelog.md', join(root, 'CHANGELOG.md'));
  // The OCR model, still compressed, and fonts. Only the Worker reads them; no route serves them.
  files.set('ocr/eng.traineddata.gz', join(root, 'node_modules', '@tesseract.js-data', 'eng', '4.0.0_best_int', 'eng.traineddata.gz'));
  const fonts = join(root, 'node_modules', '@expo-google-fonts');
  for (const [name, path] of Object.entries(FONT_FILES)) files.set(`fonts/${name}`, join(fonts, path));
  return { target: join(root, 'assets'), files };
}

/** Headers of the files that are served without the Worker. */
function browserHeaders(): string {
  const lines = Object.entries(ASSET_HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
  return BROWSER_FOLDERS.map((folder) => `/${folder}/*\n${lines.join('')}`).join('');
}

/** Updates the target to match the plan. Writes only files that differ, because wrangler dev watches the folder. */
export function syncAssets(plan: AssetPlan): AssetChanges {
  const changes: AssetChanges = { copied: [], removed: [] };
  mkdirSync(plan.target, { recursive: true });
  for (const path of listFiles(plan.target)) {
    if (plan.files.has(path)) continue;
    rmSync(join(plan.target, path));
    removeEmptyFolders(plan.target, dirname(path));
    changes.removed.push(path);
  }
  for (const [path, source] of plan.files) {
    const target = join(plan.target, path);
    if (hasSameContent(source, target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    if (typeof source === 'string') copyFileSync(source, target);
    else writeFileSync(target, contentOf(source));
    changes.copied.push(path);
  }
  return changes;
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

const contentOf = (source: Exclude<AssetSource, string>): Uint8Array => ('text' in source ? Buffer.from(source.text) : source.bytes);

function hasSameContent(source: AssetSource, target: string): boolean {
  if (!existsSync(target)) return false;
  if (typeof source !== 'string') return readFileSync(target).equals(contentOf(source));
  return statSync(source).size === statSync(target).size && readFileSync(source).equals(readFileSync(target));
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let path = folder; path !== '.' && path !== ''; path = dirname(path)) {
    if (readdirSync(join(root, path)).length > 0) return;
    rmdirSync(join(root, path));
  }
}

/** Rendered guides below `docs/guide/` of the assets: the HTML of each, and `index.json` for menu and search. */
function guideAssets(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const index = readGuides(folder).map(({ markdown, order, ...guide }) => {
    const { html, headings, sections } = renderGuide(guide.name, markdown);
    files.set(`docs/guide/${guide.name}.json`, JSON.stringify({ html }));
    return { ...guide, headings: headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text })), sections };
  });
  files.set('docs/guide/index.json', JSON.stringify(index));
  return files;
}
