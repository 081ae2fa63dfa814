/** Editors of the addresses a token may be used from. */
import { faultOf } from './addresses.js';
import { get } from './api.js';
import { busy, h } from './dom.js';

const MAX_ENTRIES = 64;
/** The editor of one fieldset: what it holds, and setting it. */
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

  /** Whether everything typed was taken over. */
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
    /** The entries, with what was typed but not added; null when that is wrong. */
    take: () => (add(input.value) ? entries : null),
    clear() {
      entries = [];
      input.value = '';
      fault.textContent = '';
      show();
    },
  };
}
