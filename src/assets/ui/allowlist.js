/** Editor of the allowed addresses of a token. */
import { errorOf } from './addresses.js';
import { get } from './api.js';
import { busy, h } from './dom.js';

const MAX_ENTRIES = 64;

/** Adds the listeners of an editor. Returns functions that read and clear its entries. */
export function allowlistEditor(fieldset) {
  const byRole = (role) => fieldset.querySelector(`[data-role="${role}"]`);
  const [list, input, error] = [byRole('entries'), byRole('address'), byRole('address-error')];
  let entries = [];

  function show() {
    list.replaceChildren(
      ...entries.map((entry) => {
        const remove = () => {
          entries = entries.filter((other) => other !== entry);
          show();
          input.focus();
        };
        return h(
          'li',
          {},
          h('code', {}, entry),
          h('button', { type: 'button', className: 'cross', 'aria-label': `Remove ${entry}`, onclick: remove }, '✕'),
        );
      }),
    );
  }

  /** Adds the entries in a text. Returns false and shows the error if one is invalid. */
  function add(text) {
    const added = text.split(/[\s,;]+/).filter(Boolean);
    const invalid = added.map(errorOf).find((message) => message !== null);
    const all = [...new Set([...entries, ...added])];
    error.textContent = invalid ?? (all.length > MAX_ENTRIES ? `The list must have at most ${MAX_ENTRIES} entries.` : '');
    if (error.textContent !== '') {
      input.setAttribute('aria-invalid', 'true');
      return false;
    }
    input.removeAttribute('aria-invalid');
    entries = all;
    input.value = '';
    show();
    return true;
  }

  byRole('add').addEventListener('click', () => {
    add(input.value);
    input.focus();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add(input.value);
  });
  byRole('add-mine').addEventListener('click', ({ currentTarget }) =>
    busy(currentTarget, async () => {
      const { address } = await get('/portal/my-address');
      if (address === null) throw new Error('Your address could not be determined. Enter the address.');
      add(address);
    }),
  );

  return {
    /** Returns the entries, including text in the input that is not added yet; null if that text is invalid. */
    read: () => (add(input.value) ? entries : null),
    clear() {
      entries = [];
      input.value = '';
      error.textContent = '';
      show();
    },
  };
}
