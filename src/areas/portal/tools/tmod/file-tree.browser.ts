import { h, number, sizeText } from '../../../../assets/ui/dom.js';
import { actionButton } from '../frame/controls.browser.ts';
import { checksumText, type Folder, sortFiles, type TmodState } from './tmod-tool.domain.ts';

/** A row of the tree. */
export interface TreeFile {
  path: string;
  size: number;
  /** Null for a file that was added here: it has no stored checksum yet. */
  checksum: number | null;
  isValid: boolean;
}

interface TreeOptions {
  order: TmodState['order'];
  chosen: string | null;
  choose(path: string): void;
}

/** Files of a folder that are drawn; a mod may have many thousands. */
const MAX_ROWS = 500;
/** Folders with at most this many files are open at first. */
const OPEN_FILES = 60;

/** The files as folders that open. A folder is drawn when it opens. */
export function fileTree(root: Folder<TreeFile>, options: TreeOptions): HTMLElement {
  return h('ul', { className: 'file-tree' }, ...rowsOf(root, options));
}

function rowsOf(folder: Folder<TreeFile>, options: TreeOptions): HTMLElement[] {
  const files = sortFiles(folder.files, options.order);
  const rows = files.slice(0, MAX_ROWS).map((file) => fileRow(file, options));
  const more = files.length > MAX_ROWS ? [h('li', { className: 'hint' }, `and ${number(files.length - MAX_ROWS)} more files`)] : [];
  return [...folder.folders.map((inner) => folderRow(inner, options)), ...rows, ...more];
}

function folderRow(folder: Folder<TreeFile>, options: TreeOptions): HTMLElement {
  const list = h('ul');
  const details = h(
    'details',
    {},
    h(
      'summary',
      { className: 'tree-folder' },
      h('span', {}, `${folder.name}/`),
      h('span', { className: 'hint' }, `${number(folder.count)} ${folder.count === 1 ? 'file' : 'files'}, ${sizeText(folder.size)}`),
    ),
    list,
  );
  const draw = () => {
    if (details.open && list.childElementCount === 0) list.append(...rowsOf(folder, options));
  };
  details.addEventListener('toggle', draw);
  if (folder.count <= OPEN_FILES || options.chosen?.startsWith(folder.path)) {
    details.open = true;
    draw();
  }
  return h('li', {}, details);
}

function fileRow({ path, size, checksum, isValid }: TreeFile, { chosen, choose }: TreeOptions): HTMLElement {
  const name = path.slice(path.lastIndexOf('/') + 1) || '(no name)';
  const button = actionButton(name, () => choose(path), { key: `file-${path}`, className: 'quiet file-name' });
  button.setAttribute('aria-pressed', String(path === chosen));
  const state = checksum === null ? 'new' : isValid ? checksumText(checksum) : `${checksumText(checksum)} does not match`;
  return h(
    'li',
    { className: path === chosen ? 'chosen' : '' },
    button,
    h('span', { className: 'hint' }, sizeText(size)),
    h('code', { className: isValid ? 'hint' : 'error' }, state),
  );
}
