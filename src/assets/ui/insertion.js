/** Buttons that insert a placeholder at the cursor. */
import { button } from './dom.js';

/** The buttons insert into the field that had the focus last; initially into the first field. */
export function placeholderButtons(names, fields) {
  let lastFocused = null;
  const onFocus = ({ target }) => {
    lastFocused = target;
  };
  for (const field of fields()) field.addEventListener('focus', onFocus);
  return names.map((name) =>
    button(`{${name}}`, () => {
      const field = lastFocused?.isConnected ? lastFocused : fields()[0];
      field.setRangeText(`{${name}}`, field.selectionStart, field.selectionEnd, 'end');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.focus();
    }),
  );
}
