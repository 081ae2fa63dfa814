import { announce, facts, h, number, sentence, sizeText } from '../../../../assets/ui/dom.js';
import { InputError } from '../../../../platform/kit/errors/input-error.ts';
import { DEFAULT_VERSION } from '../../../mods/tmod.data.ts';
import { actionButton, card, figures, isWide, segmented, show } from '../frame/controls.browser.ts';
import { acceptDrops, pickButton } from '../frame/pick.browser.ts';
import { startTool } from '../frame/tool.browser.ts';
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

const ORDER_LABELS = { table: 'As stored', path: 'By name', size: 'By size' } as const;

startTool<TmodState>({
  name: 'tmod',
  fields: tmodFields,
  build(tool) {
    let { read, draft, sourceName, hasChanged } = exampleWork();
    let steps: UndoStep<Work>[] = [];
    /** The last change is in no file yet. */
    let isUnsaved = false;
    let chosen: string | null = draft.files[0]?.path ?? null;
    let shownFile: { path: string; content: Blob; view: HTMLElement } | null = null;

    const work = createWorkPlace('Working');
    const problem = h('p', { className: 'error', role: 'alert' });
    const overview = h('div', { className: 'tool-result' });
    const files = h('div', { className: 'tool-result' });
    const view = h('div', { className: 'tool-result' });
    const order = segmented({
      label: 'Order',
      options: FILE_ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] })),
      change: (value) => tool.set({ order: value }),
    });
    const form = draftForm((name, value) => edit(() => withProperty(draft, name, value), name));
    const picker = pickButton('Open a .tmod file', { accept: '.tmod', className: 'primary' }, ([file]) => file && void open(file));
    const drop = h(
      'section',
      { className: 'card drop', 'aria-label': 'Mod file' },
      h('h2', {}, 'Mod file'),
      h('p', {}, `Drop a .tmod file here, up to ${sizeText(MAX_LOCAL_BYTES)}. It stays in your browser.`),
      h(
        'div',
        { className: 'actions' },
        picker,
        actionButton('New mod', () => start({ read: null, draft: emptyDraft(), sourceName: 'a new mod', hasChanged: false }), {
          className: 'quiet',
        }),
      ),
      problem,
      work.element,
    );
    acceptDrops(drop, ([file]) => file && void open(file));
    // On a phone the form is folded, so that the contents of the mod are near.
    const fold = h('details', { className: 'editor', open: isWide() }, h('summary', {}, 'Change the mod'), form.element);
    const editor = h('section', { className: 'card', 'aria-label': 'Change the mod' }, fold);
    const buildProblem = h('p', { className: 'error', role: 'alert' });
    const saveMod = actionButton('Build and save', () => void build(), { className: 'primary' });
    const undoButton = actionButton('Undo', undo);
    editor.append(
      buildProblem,
      h(
        'div',
        { className: 'actions' },
        saveMod,
        pickButton('Add files', { multiple: true }, (added) => void addFiles(added)),
        undoButton,
      ),
    );

    function fail(place: HTMLElement, error: unknown): void {
      place.textContent = sentence(error instanceof Error ? error.message : String(error));
    }

    function refresh(): void {
      tool.set({});
    }

    const current = (): Work => ({ read, draft, sourceName, hasChanged });

    function replace(next: Work): void {
      ({ read, draft, sourceName, hasChanged } = next);
      if (!draft.files.some(({ path }) => path === chosen)) chosen = draft.files[0]?.path ?? null;
      problem.textContent = '';
      buildProblem.textContent = '';
    }

    /** Applies a change of the mod; an `InputError` is shown and changes nothing. Changes of one `source` are undone together. */
    function edit(next: () => Draft<Blob>, source?: string): boolean {
      try {
        const changed = next();
        steps = withStep(steps, { before: current(), ...(source === undefined ? {} : { source }) }, MAX_STEPS);
        replace({ ...current(), draft: changed, hasChanged: true });
        isUnsaved = true;
        refresh();
        return true;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        fail(buildProblem, error);
        return false;
      }
    }

    /** Shows another mod. Only the step to the mod before it can be undone, so that at most two mods are held. */
    function start(next: Work): void {
      steps = [{ before: current() }];
      replace(next);
      isUnsaved = false;
      refresh();
    }

    function undo(): void {
      const step = steps.at(-1);
      if (!step) return;
      steps = steps.slice(0, -1);
      replace(step.before);
      isUnsaved = hasChanged;
      refresh();
      announce('The last change is undone.');
    }

    addEventListener('beforeunload', (event) => {
      if (isUnsaved) event.preventDefault();
    });

    async function run(job: TmodJob, place: HTMLElement): Promise<TmodOutcome | null> {
      place.textContent = '';
      try {
        return await work.run<TmodOutcome>(WORK_SCRIPT, job);
      } catch (error) {
        fail(place, error);
        return null;
      }
    }

    async function open(file: File): Promise<void> {
      if (file.size > MAX_LOCAL_BYTES) {
        problem.textContent = `The file has ${sizeText(file.size)}; at most ${sizeText(MAX_LOCAL_BYTES)} can be opened here.`;
        return;
      }
      const outcome = await run({ kind: 'read', file }, problem);
      if (problem.textContent !== '') problem.prepend(`${file.name} is not a mod that can be read. `);
      if (outcome?.kind !== 'read') return;
      start({ read: outcome.mod, draft: draftOf(outcome.mod), sourceName: file.name, hasChanged: false });
      announce(`${file.name} is open.`);
    }

    async function build(): Promise<void> {
      const outcome = await run({ kind: 'build', draft }, buildProblem);
      if (outcome?.kind !== 'file') return;
      saveBlob(outcome.file, filenameOf(draft));
      isUnsaved = false;
      announce(`${filenameOf(draft)} is saved.`);
    }

    async function saveAll(): Promise<void> {
      const outcome = await run({ kind: 'zip', files: draft.files }, problem);
      if (outcome?.kind === 'file') saveBlob(outcome.file, filenameOf(draft).replace(/\.tmod$/, '.zip'));
    }

    async function addFiles(added: readonly File[]): Promise<void> {
      for (const file of added) {
        const total = draft.files.reduce((sum, { content }) => sum + content.size, file.size);
        if (total > MAX_LOCAL_BYTES) {
          buildProblem.textContent = `A mod may have ${sizeText(MAX_LOCAL_BYTES)} of files here.`;
          return;
        }
        const path = file.webkitRelativePath || file.name;
        if (edit(() => withFile(draft, path, file))) chosen = draft.files.at(-1)?.path ?? chosen;
      }
      refresh();
    }

    function treeFiles(): TreeFile[] {
      const stored = new Map((read?.files ?? []).map((entry) => [entry.content, entry]));
      return draft.files.map(({ path, content }) => {
        const entry = stored.get(content);
        return { path, size: content.size, checksum: entry?.checksum ?? null, isValid: entry?.isValid ?? true };
      });
    }

    function drawOverview(rows: readonly TreeFile[]): void {
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
            ? h(
                'p',
                { className: 'hint' },
                'The lengths in the header count characters, as an older writer did. Building the mod repairs it.',
              )
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

    function drawFile(): void {
      const file = draft.files.find(({ path }) => path === chosen);
      if (!file) {
        shownFile = null;
        show(view);
        return;
      }
      if (shownFile?.path !== file.path || shownFile.content !== file.content)
        shownFile = { ...file, view: fileView(file.path, file.content) };
      const path = h('input', { id: 'file-path', type: 'text', value: file.path, autocomplete: 'off', spellcheck: false });
      path.addEventListener('change', () => {
        const before = chosen;
        if (edit(() => withPath(draft, file.path, path.value)) && chosen === before) {
          chosen = draft.files.find(({ content }) => content === file.content)?.path ?? null;
          refresh();
        }
      });
      show(
        view,
        card(
          file.path.slice(file.path.lastIndexOf('/') + 1) || 'File',
          shownFile.view,
          h('div', { className: 'field' }, h('label', { for: 'file-path' }, 'Path in the mod'), path),
          h(
            'div',
            { className: 'actions small' },
            actionButton('Save file', () => saveBlob(file.content, archivePath(file.path).split('/').at(-1) ?? 'file'), {
              key: 'save-file',
            }),
            pickButton('Replace', { key: 'replace' }, ([next]) => next && edit(() => withFile(draft, file.path, next))),
            actionButton('Remove', () => edit(() => withoutFile(draft, file.path)), { key: 'remove-file' }),
          ),
        ),
      );
    }

    return {
      inputs: [drop, editor],
      results: [overview, files, view],
      startAgain: () => start(exampleWork()),
      update(state) {
        form.show(draft);
        order.show(state.order);
        const rows = treeFiles();
        drawOverview(rows);
        const choose = (path: string) => {
          chosen = path;
          refresh();
          view.scrollIntoView({ block: 'nearest' });
        };
        show(
          files,
          card(
            'Files',
            order.element,
            fileTree(treeOf(rows), { order: state.order, chosen, choose }),
            h(
              'div',
              { className: 'actions' },
              actionButton('Save all as zip', () => void saveAll(), { key: 'save-all', isDisabled: rows.length === 0 }),
            ),
          ),
        );
        drawFile();
        const reason = draftProblem(draft);
        saveMod.disabled = reason !== null;
        undoButton.disabled = steps.length === 0;
        if (reason !== null) buildProblem.textContent = sentence(reason);
        return {
          summary: `${propertyOf(draft, 'title') || 'Mod without a title'}: ${number(rows.length)} files.`,
          request: null,
          json: read
            ? metadataOf(read)
            : { properties: Object.fromEntries(draft.properties), files: rows.map(({ path, size }) => ({ path, size })) },
        };
      },
    };
  },
});

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
