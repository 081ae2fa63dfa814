/** Buttons that insert a placeholder at the cursor. */
import { button } from './dom.js';

/** Inserts into the last focused of `fields`, or into the first one when none had the focus. */
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
