import { byId, copyText, debounced, h, sentence } from '../../../../assets/ui/dom.js';
import { InputError } from '../../../../platform/kit/errors/input-error.ts';
import { actionButton, copyButton } from './controls.browser.ts';
import { curlOf, type ToolRequest } from './request.domain.ts';
import { type Fields, initialState, readState, writeState } from './state.domain.ts';

/** What a tool shows for a state. */
export interface Shown {
  /** The result in one sentence, which screen readers announce. */
  summary: string;
  /** The request that returns the same result; null if no endpoint does. */
  request: ToolRequest | null;
  /** The result as JSON, as the API returns it; undefined while it is calculated. */
  json: unknown;
}

export interface Tool<State> {
  readonly state: State;
  /**
   * Changes values, draws the result and updates the address. Changes of one `source`, such as the letters of a number, are one step
   * of the history of the browser.
   */
  set(changes: Partial<State>, source?: string): void;
  /** Public URL of the service. */
  readonly baseUrl: string;
  /** Facts that the page states, by name. */
  readonly facts: DOMStringMap;
}

interface ToolParts<State> {
  /** Above both columns. */
  top?: readonly HTMLElement[];
  inputs: readonly HTMLElement[];
  results: readonly HTMLElement[];
  /** Below both columns, in the full width. */
  below?: readonly HTMLElement[];
  /** Buttons beside those that copy. */
  actions?: readonly HTMLElement[];
  /** Shows a state. Throws `InputError` for a state that the rules refuse. */
  update(state: State): Shown;
  /** Removes what a person made that is not in the state, such as an open file. */
  startAgain?(): void;
}

interface ToolOptions<State> {
  /** Segment of the path below `/tools`. */
  name: string;
  fields: Fields<State>;
  /** Makes values fit each other, such as a level that the tier has. */
  adjust?(state: State): State;
  /** Names of the values that the device remembers; default: all. */
  remembered?: readonly (keyof State)[];
  /** A value that may stand in the query of the address, for links with a preview. */
  inQuery?: string & keyof State;
  /** Creates the controls and the places of the result. */
  build(tool: Tool<State>): ToolParts<State>;
}

const ANNOUNCE_AFTER_MS = 700;
const KEEP_AFTER_MS = 200;

/** The error of a rule with the field that it names: `Stats must have three different stats.` */
function errorText({ path, message }: InputError): string {
  const field = path.findLast((part) => typeof part === 'string')?.replaceAll('_', ' ') ?? 'the value';
  return sentence(message.startsWith('must') || message.startsWith('is ') ? `${field} ${message}` : message);
}

/** The text of a state that the device remembers. */
function deviceMemory(key: string) {
  return {
    read(): string {
      try {
        return localStorage.getItem(key) ?? '';
      } catch {
        return '';
      }
    },
    write(text: string): void {
      try {
        localStorage.setItem(key, text);
      } catch {
        // The browser allows no storage, or it is full: the address still has everything.
      }
    },
  };
}

/** The text of a state from the query of the address; null without the value. */
function queriedText(name: string | undefined): string | null {
  const text = name === undefined ? null : new URLSearchParams(location.search).get(name);
  return text === null ? null : `${name}=${encodeURIComponent(text)}`;
}

/** What a tool says of parts of a link that it does not know. */
const ignoredText = (ignored: readonly string[]) =>
  ignored.length === 0 ? '' : `The link has parts that this tool does not know: ${ignored.join(', ')}. The example is used for them.`;

/** Starts a tool: reads the link or what the device remembers, and follows the history of the browser. */
export function startTool<State>({ name, fields, adjust = (state) => state, remembered, inQuery, build }: ToolOptions<State>): void {
  const root = byId('tool');
  const memory = deviceMemory(`tool:${name}`);
  const baseUrl = root.dataset.baseUrl ?? location.origin;
  const notice = h('p', { className: 'hint tool-notice', role: 'status' });
  const error = h('p', { className: 'error', role: 'alert' });
  const summary = h('p', { className: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  let state = adjust(initialState(fields));
  let shown: Shown | null = null;
  let lastSource: string | undefined;
  /** The address has not yet what a person types or drags: browsers limit how often a page may change it. */
  let isPending = false;

  const tool: Tool<State> = {
    get state() {
      return state;
    },
    set(changes, source) {
      const isSameStep = source !== undefined && source === lastSource;
      if (!isSameStep) keepPending();
      state = adjust({ ...state, ...changes });
      lastSource = source;
      draw();
      if (isSameStep) {
        isPending = true;
        keepSoon();
      } else if (linkOf(state).hash !== location.hash) keep('pushState');
    },
    baseUrl,
    facts: root.dataset,
  };

  /** The address of a state, without a query. */
  function linkOf(linked: State): URL {
    return new URL(`${location.pathname}#${writeState(fields, linked)}`, location.origin);
  }

  function keep(how: 'pushState' | 'replaceState'): void {
    isPending = false;
    history[how](null, '', linkOf(state));
    remember();
  }

  function keepPending(): void {
    if (isPending) keep('replaceState');
  }

  const keepSoon = debounced(keepPending, KEEP_AFTER_MS);

  function remember(): void {
    const kept = initialState(fields);
    for (const field of remembered ?? (Object.keys(fields) as (keyof State)[])) kept[field] = state[field];
    memory.write(writeState(fields, kept));
  }

  const tell = debounced(() => {
    summary.textContent = shown?.summary ?? '';
  }, ANNOUNCE_AFTER_MS);

  function draw(): void {
    try {
      shown = update(state);
      error.textContent = '';
    } catch (problem) {
      if (!(problem instanceof InputError)) throw problem;
      shown = null;
      error.textContent = errorText(problem);
    }
    copyLink.disabled = shown === null;
    copyJson.disabled = shown?.json === undefined;
    copyCurl.disabled = !shown?.request;
    tell();
  }

  function open(text: string): void {
    const { state: read, ignored } = readState(fields, text);
    state = adjust(read);
    notice.textContent = ignoredText(ignored);
    lastSource = undefined;
    isPending = false;
    draw();
  }

  const copyLink = actionButton('Copy link', () => void copyText(linkOf(state).href), { className: 'primary' });
  const copyJson = copyButton('Copy as JSON', () => JSON.stringify(shown?.json, null, 2));
  const copyCurl = copyButton('Copy as curl', () => (shown?.request ? curlOf(shown.request, baseUrl) : ''));
  const { top = [], inputs, results, below = [], actions = [], update, startAgain } = build(tool);
  const again = () => {
    startAgain?.();
    tool.set(initialState(fields));
  };
  const reset = actionButton('Start again', again, { className: 'quiet' });
  const copying = h('div', { className: 'actions small tool-actions' }, copyLink, copyJson, copyCurl, ...actions, reset);
  root.replaceChildren(
    notice,
    error,
    ...top,
    h(
      'div',
      { className: 'tool-columns' },
      h('div', { className: 'tool-inputs' }, ...inputs, copying),
      h('div', { className: 'tool-results' }, ...results),
    ),
    ...below,
    summary,
  );
  addEventListener('pagehide', keepPending);
  addEventListener('popstate', () => open(location.hash.slice(1)));
  open(location.hash.length > 1 ? location.hash.slice(1) : (queriedText(inQuery) ?? memory.read()));
  keep('replaceState');
}
