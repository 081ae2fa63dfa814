import { h } from '../../../../assets/ui/dom.js';
import { actionButton } from './controls.browser.ts';

interface PickOptions {
  accept?: string;
  multiple?: boolean;
  /** Asks phones for the camera. */
  capture?: 'environment';
  className?: string;
  key?: string;
}

/** A button that opens the file dialog. */
export function pickButton(
  label: string,
  { accept = '', multiple = false, capture, className = '', key }: PickOptions,
  pick: (files: File[]) => void,
): HTMLElement {
  const input = h('input', { type: 'file', accept, multiple, hidden: true });
  if (capture) input.setAttribute('capture', capture);
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) pick(files);
  });
  return h(
    'span',
    {},
    actionButton(label, () => input.click(), { className, ...(key === undefined ? {} : { key }) }),
    input,
  );
}

/** Reads files that are dropped on the page; marks the element as their target. The browser would open them otherwise. */
export function acceptDrops(element: HTMLElement, accept: (files: File[]) => void): void {
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, (event) => event.preventDefault());
  element.addEventListener('dragover', () => element.classList.add('is-target'));
  for (const type of ['dragleave', 'drop'] as const) element.addEventListener(type, () => element.classList.remove('is-target'));
  addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) accept(files);
  });
}
