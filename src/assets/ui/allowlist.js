/** Editors of the allowed addresses of a token. */
import { faultOf } from './addresses.js';
import { get } from './api.js';
import { busy, h } from './dom.js';

const MAX_ENTRIES = 64;
/** Editor of one fieldset. */
export function allowlistEditor(fieldset) {
  const part = (role) => fieldset.querySelector(`[data-role="${role}"]`);
  const [list, input, fault] = [part('entries'), part('address'), part('address-error')];
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

  /** Returns whether all typed entries are valid and added. */
  function add(text) {
    const wanted = text.split(/[\s,;]+/).filter(Boolean);
    const wrong = wanted.map(faultOf).find((reason) => reason !== null);
    const all = [...new Set([...entries, ...wanted])];
    fault.textContent = wrong ?? (all.length > MAX_ENTRIES ? `At most ${MAX_ENTRIES} entries.` : '');
    if (fault.textContent !== '') {
      input.setAttribute('aria-invalid', 'true');
      return false;
    }
    input.removeAttribute('aria-invalid');
    entries = all;
    input.value = '';
    show();
    return true;
  }

  part('add').addEventListener('click', () => {
    add(input.value);
    input.focus();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add(input.value);
  });
  part('add-mine').addEventListener('click', ({ currentTarget }) =>
    busy(currentTarget, async () => {
      const { address } = await get('/portal/my-address');
      if (address === null) throw new Error('Your address could not be determined. Enter it.');
      add(address);
    }),
  );

  return {
    /** The entries including a typed one that is not added yet; null when it is invalid. */
    take: () => (add(input.value) ? entries : null),
    clear() {
      entries = [];
      input.value = '';
      fault.textContent = '';
      show();
    },
  };
}
