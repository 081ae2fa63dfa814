import { announce, facts, h, number, sentence, sizeText } from '../../../../assets/ui/dom.js';
import { InputError } from '../../../../platform/kit/errors/input-error.ts';
import { DEFAULT_VERSION } from '../../../mods/tmod.data.ts';
import { actionButton, card, figures, isWide, segmented, show } from '../frame/controls.browser.ts';
import { acceptDrops, pickButton } from '../frame/pick.browser.ts';
import { type Shown, startTool, type Tool } from '../frame/tool.browser.ts';
import { type UndoStep, withStep } from '../frame/undo.domain.ts';
import { createWorkPlace } from '../frame/work.browser.ts';
import { draftForm } from './draft-form.browser.ts';
import { fileTree, type TreeFile } from './file-tree.browser.ts';
import { fileView, saveBlob } from './file-view.browser.ts';
import { EXAMPLE_MOD } from './tmod-example.data.ts';
import { type TmodJob, type TmodOutcome, WORK_SCRIPT } from './tmod-jobs.browser.ts';
import {
  archivePath,
  type Draft,
  draftOf,
  draftProblem,
  emptyDraft,
  FILE_ORDERS,
  filenameOf,
  MAX_LOCAL_BYTES,
  metadataOf,
  propertyOf,
  type ReadMod,
  type TmodState,
  tmodFields,
  treeOf,
  withFile,
  withoutFile,
  withPath,
  withProperty,
} from './tmod-tool.domain.ts';

/** Steps that can be undone. */
const MAX_STEPS = 50;

/** What a person edits, and the file that it came from. */
interface Work {
  read: ReadMod<Blob> | null;
  draft: Draft<Blob>;
  sourceName: string;
  hasChanged: boolean;
}

/** The open mod, and what the page shows of it. */
interface OpenMod extends Work {
  steps: UndoStep<Work>[];
  /** The last change is in no file yet. */
  isUnsaved: boolean;
  /** Path of the shown file. */
  chosen: string | null;
  shownFile: { path: string; content: Blob; view: HTMLElement } | null;
}

/** What a change of the mod needs. */
interface Editor {
  tool: Tool<TmodState>;
  mod: OpenMod;
  work: ReturnType<typeof createWorkPlace>;
  /** Error of opening, and of changing and building. */
  problem: HTMLElement;
  buildProblem: HTMLElement;
}

/** The elements that an update fills. */
interface Parts extends Editor, ReturnType<typeof createControls> {
  overview: HTMLElement;
  files: HTMLElement;
  view: HTMLElement;
}

const ORDER_LABELS = { table: 'As stored', path: 'By name', size: 'By size' } as const;

startTool<TmodState>({ name: 'tmod', fields: tmodFields, build: buildPage });

function buildPage(tool: Tool<TmodState>) {
  const editor = createEditor(tool);
  const parts: Parts = {
    ...editor,
    ...createControls(editor),
    overview: h('div', { className: 'tool-result' }),
    files: h('div', { className: 'tool-result' }),
    view: h('div', { className: 'tool-result' }),
  };
  addEventListener('beforeunload', (event) => {
    if (editor.mod.isUnsaved) event.preventDefault();
  });
  return {
    inputs: [createDrop(editor), createForm(parts)],
    results: [parts.overview, parts.files, parts.view],
    startAgain: () => start(editor, exampleWork()),
    update: (state: TmodState): Shown => update(parts, state),
  };
}

function createEditor(tool: Tool<TmodState>): Editor {
  const work = exampleWork();
  return {
    tool,
    mod: { ...work, steps: [], isUnsaved: false, chosen: work.draft.files[0]?.path ?? null, shownFile: null },
    work: createWorkPlace('Working'),
    problem: h('p', { className: 'error', role: 'alert' }),
    buildProblem: h('p', { className: 'error', role: 'alert' }),
  };
}

function createControls(editor: Editor) {
  const order = segmented({
    label: 'Order',
    options: FILE_ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] })),
    change: (value) => editor.tool.set({ order: value }),
  });
  const form = draftForm((name, value) => edit(editor, (draft) => withProperty(draft, name, value), name));
  const saveMod = actionButton('Build and save', () => void buildMod(editor), { className: 'primary' });
  const undoButton = actionButton('Undo', () => undo(editor));
  return { order, form, saveMod, undoButton };
}

function createDrop(editor: Editor): HTMLElement {
  const { problem, work } = editor;
  const open = ([file]: readonly File[]) => file && void openFile(editor, file);
  const picker = pickButton('Open a .tmod file', { accept: '.tmod', className: 'primary' }, open);
  const drop = h(
    'section',
    { className: 'card drop', 'aria-label': 'Mod file' },
    h('h2', {}, 'Mod file'),
    h('p', {}, `Drop a .tmod file here, up to ${sizeText(MAX_LOCAL_BYTES)}. It stays in your browser.`),
    h(
      'div',
      { className: 'actions' },
      picker,
      actionButton('New mod', () => start(editor, { read: null, draft: emptyDraft(), sourceName: 'a new mod', hasChanged: false }), {
        className: 'quiet',
      }),
    ),
    problem,
    work.element,
  );
  acceptDrops(drop, open);
  return drop;
}

// On a phone the form is folded, so that the contents of the mod are near.
function createForm(parts: Parts): HTMLElement {
  const { form, buildProblem, saveMod, undoButton } = parts;
  return h(
    'section',
    { className: 'card', 'aria-label': 'Change the mod' },
    h('details', { className: 'editor', open: isWide() }, h('summary', {}, 'Change the mod'), form.element),
    buildProblem,
    h(
      'div',
      { className: 'actions' },
      saveMod,
      pickButton('Add files', { multiple: true }, (added) => void addFiles(parts, added)),
      undoButton,
    ),
  );
}

function fail(place: HTMLElement, error: unknown): void {
  place.textContent = sentence(error instanceof Error ? error.message : String(error));
}

function refresh({ tool }: Editor): void {
  tool.set({});
}

function workOf({ read, draft, sourceName, hasChanged }: Work): Work {
  return { read, draft, sourceName, hasChanged };
}

function replace({ mod, problem, buildProblem }: Editor, next: Work): void {
  Object.assign(mod, next);
  const { draft } = mod;
  if (!draft.files.some(({ path }) => path === mod.chosen)) mod.chosen = draft.files[0]?.path ?? null;
  problem.textContent = '';
  buildProblem.textContent = '';
}

/** Applies a change of the mod; an `InputError` is shown and changes nothing. Changes of one `source` are undone together. */
function edit(editor: Editor, next: (draft: Draft<Blob>) => Draft<Blob>, source?: string): boolean {
  const { mod, buildProblem } = editor;
  try {
    const changed = next(mod.draft);
    mod.steps = withStep(mod.steps, { before: workOf(mod), ...(source === undefined ? {} : { source }) }, MAX_STEPS);
    replace(editor, { ...workOf(mod), draft: changed, hasChanged: true });
    mod.isUnsaved = true;
    refresh(editor);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    fail(buildProblem, error);
    return false;
  }
}

/** Shows another mod. Only the step to the mod before it can be undone, so that at most two mods are held. */
function start(editor: Editor, next: Work): void {
  const { mod } = editor;
  mod.steps = [{ before: workOf(mod) }];
  replace(editor, next);
  mod.isUnsaved = false;
  refresh(editor);
}

function undo(editor: Editor): void {
  const { mod } = editor;
  const step = mod.steps.at(-1);
  if (!step) return;
  mod.steps = mod.steps.slice(0, -1);
  replace(editor, step.before);
  mod.isUnsaved = mod.hasChanged;
  refresh(editor);
  announce('The last change is undone.');
}

async function run({ work }: Editor, job: TmodJob, place: HTMLElement): Promise<TmodOutcome | null> {
  place.textContent = '';
  try {
    return await work.run<TmodOutcome>(WORK_SCRIPT, job);
  } catch (error) {
    fail(place, error);
    return null;
  }
}

async function openFile(editor: Editor, file: File): Promise<void> {
  const { problem } = editor;
  if (file.size > MAX_LOCAL_BYTES) {
    problem.textContent = `The file has ${sizeText(file.size)}; at most ${sizeText(MAX_LOCAL_BYTES)} can be opened here.`;
    return;
  }
  const outcome = await run(editor, { kind: 'read', file }, problem);
  if (problem.textContent !== '') problem.prepend(`${file.name} is not a mod that can be read. `);
  if (outcome?.kind !== 'read') return;
  start(editor, { read: outcome.mod, draft: draftOf(outcome.mod), sourceName: file.name, hasChanged: false });
  announce(`${file.name} is open.`);
}

async function buildMod(editor: Editor): Promise<void> {
  const { mod, buildProblem } = editor;
  const outcome = await run(editor, { kind: 'build', draft: mod.draft }, buildProblem);
  if (outcome?.kind !== 'file') return;
  saveBlob(outcome.file, filenameOf(mod.draft));
  mod.isUnsaved = false;
  announce(`${filenameOf(mod.draft)} is saved.`);
}

async function saveAll(editor: Editor): Promise<void> {
  const { mod, problem } = editor;
  const outcome = await run(editor, { kind: 'zip', files: mod.draft.files }, problem);
  if (outcome?.kind === 'file') saveBlob(outcome.file, filenameOf(mod.draft).replace(/\.tmod$/, '.zip'));
}

async function addFiles(editor: Editor, added: readonly File[]): Promise<void> {
  const { mod, buildProblem } = editor;
  for (const file of added) {
    const total = mod.draft.files.reduce((sum, { content }) => sum + content.size, file.size);
    if (total > MAX_LOCAL_BYTES) {
      buildProblem.textContent = `A mod may have ${sizeText(MAX_LOCAL_BYTES)} of files here.`;
      return;
    }
    const path = file.webkitRelativePath || file.name;
    if (edit(editor, (draft) => withFile(draft, path, file))) mod.chosen = mod.draft.files.at(-1)?.path ?? mod.chosen;
  }
  refresh(editor);
}

function treeFiles({ read, draft }: Work): TreeFile[] {
  const stored = new Map((read?.files ?? []).map((entry) => [entry.content, entry]));
  return draft.files.map(({ path, content }) => {
    const entry = stored.get(content);
    return { path, size: content.size, checksum: entry?.checksum ?? null, isValid: entry?.isValid ?? true };
  });
}

function drawOverview(overview: HTMLElement, { read, draft, sourceName, hasChanged }: Work, rows: readonly TreeFile[]): void {
  const size = rows.reduce((sum, file) => sum + file.size, 0);
  const broken = rows.filter(({ isValid }) => !isValid).length;
  const properties = (read?.properties ?? draft.properties).map(([name, value]) => [name, value === '' ? '(empty)' : value] as const);
  show(
    overview,
    h(
      'section',
      { className: 'card headline-card', 'aria-label': 'Overview' },
      h('p', { className: 'hint' }, hasChanged ? `${sourceName}, changed` : sourceName),
      h('p', { className: 'headline-figure mod-title' }, propertyOf(draft, 'title') || 'No title'),
      figures([
        ['Author', propertyOf(draft, 'author') || 'none'],
        ['Files', number(rows.length)],
        ['Size', sizeText(size)],
        ['Checksums', read === null ? 'when built' : broken === 0 ? 'all match' : `${number(broken)} do not match`],
      ]),
      read?.isRepaired
        ? h('p', { className: 'hint' }, 'The lengths in the header count characters, as an older writer did. Building the mod repairs it.')
        : null,
    ),
    h(
      'details',
      { className: 'folded' },
      h('summary', {}, 'Header and properties'),
      h(
        'dl',
        { className: 'mod-facts' },
        ...facts([
          ...(read
            ? ([
                ['Version of the format', String(read.version)],
                ['Size of the header', `${number(read.headerSize)} bytes`],
              ] as const)
            : []),
          ...(read ? ([['Categories in the flags', read.categories.join(', ') || 'none']] as const) : []),
          ...properties,
        ]),
      ),
    ),
  );
}

function drawFile(editor: Editor, view: HTMLElement): void {
  const { mod } = editor;
  const file = mod.draft.files.find(({ path }) => path === mod.chosen);
  if (!file) {
    mod.shownFile = null;
    show(view);
    return;
  }
  if (mod.shownFile?.path !== file.path || mod.shownFile.content !== file.content)
    mod.shownFile = { ...file, view: fileView(file.path, file.content) };
  const path = h('input', { id: 'file-path', type: 'text', value: file.path, autocomplete: 'off', spellcheck: false });
  path.addEventListener('change', () => {
    const before = mod.chosen;
    if (edit(editor, (draft) => withPath(draft, file.path, path.value)) && mod.chosen === before) {
      mod.chosen = mod.draft.files.find(({ content }) => content === file.content)?.path ?? null;
      refresh(editor);
    }
  });
  show(
    view,
    card(
      file.path.slice(file.path.lastIndexOf('/') + 1) || 'File',
      mod.shownFile.view,
      h('div', { className: 'field' }, h('label', { for: 'file-path' }, 'Path in the mod'), path),
      h(
        'div',
        { className: 'actions small' },
        actionButton('Save file', () => saveBlob(file.content, archivePath(file.path).split('/').at(-1) ?? 'file'), {
          key: 'save-file',
        }),
        pickButton('Replace', { key: 'replace' }, ([next]) => next && edit(editor, (draft) => withFile(draft, file.path, next))),
        actionButton('Remove', () => edit(editor, (draft) => withoutFile(draft, file.path)), { key: 'remove-file' }),
      ),
    ),
  );
}

function update(parts: Parts, state: TmodState): Shown {
  const { mod, form, order, overview, files, view, saveMod, undoButton, buildProblem } = parts;
  form.show(mod.draft);
  order.show(state.order);
  const rows = treeFiles(mod);
  drawOverview(overview, mod, rows);
  const choose = (path: string) => {
    mod.chosen = path;
    refresh(parts);
    view.scrollIntoView({ block: 'nearest' });
  };
  show(
    files,
    card(
      'Files',
      order.element,
      fileTree(treeOf(rows), { order: state.order, chosen: mod.chosen, choose }),
      h(
        'div',
        { className: 'actions' },
        actionButton('Save all as zip', () => void saveAll(parts), { key: 'save-all', isDisabled: rows.length === 0 }),
      ),
    ),
  );
  drawFile(parts, view);
  const reason = draftProblem(mod.draft);
  saveMod.disabled = reason !== null;
  undoButton.disabled = mod.steps.length === 0;
  if (reason !== null) buildProblem.textContent = sentence(reason);
  return {
    summary: `${propertyOf(mod.draft, 'title') || 'Mod without a title'}: ${number(rows.length)} files.`,
    request: null,
    json: mod.read
      ? metadataOf(mod.read)
      : { properties: Object.fromEntries(mod.draft.properties), files: rows.map(({ path, size }) => ({ path, size })) },
  };
}

/** The example, with contents that this browser holds. */
function exampleWork(): Work {
  const files = EXAMPLE_MOD.files.map(({ path, base64 }) => ({
    path,
    content: new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]),
  }));
  return {
    read: null,
    draft: { version: DEFAULT_VERSION, properties: EXAMPLE_MOD.properties, files },
    sourceName: 'the example',
    hasChanged: false,
  };
}
