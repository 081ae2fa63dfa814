/** Buttons that put a placeholder where somebody writes. */
import { button } from './dom.js';

/** `fields`: those that take placeholders; before any of them was used, the first one does. */
export function placeholderButtons(names, fields) {
  let last = null;
  const remember = ({ target }) => {
    last = target;
  };
  for (const field of fields()) field.addEventListener('focus', remember);
  return names.map((name) =>
    button(`{${name}}`, () => {
      const field = last?.isConnected ? last : fields()[0];
      field.setRangeText(`{${name}}`, field.selectionStart, field.selectionEnd, 'end');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.focus();
    }),
  );
}
