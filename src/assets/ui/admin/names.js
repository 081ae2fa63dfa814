/** A list of names: interest items or supporters. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, number } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

const PATH = byId('add-form').dataset.sends.split(' ')[1];

function show(body) {
  const names = body.items ?? body.supporters;
  byId('all-names').value = names.join('\n');
  const remove = (name) => async () => {
    const remaining = await call('DELETE', `${PATH}/${encodeURIComponent(name)}`);
    replaceList(remaining);
    announce(`${name} removed.`);
  };
  const entries = names.map((name) => {
    const removeButton = button('✕', remove(name), 'cross');
    removeButton.setAttribute('aria-label', `Remove ${name}`);
    return h('li', {}, name, removeButton);
  });
  const none = h('p', { id: 'no-names', hidden: true }, 'No matching names.');
  return [h('p', { className: 'hint', id: 'names-count' }), entries.length > 0 ? h('ul', { className: 'chips' }, ...entries) : '', none];
}

/** Hides the names without the text of the filter. */
function filterNames() {
  const text = byId('names-filter').value.trim().toLowerCase();
  const entries = [...byId('names').querySelectorAll('li')];
  for (const entry of entries) entry.hidden = !entry.firstChild.textContent.toLowerCase().includes(text);
  const shown = entries.filter(({ hidden }) => !hidden).length;
  byId('names-count').textContent = text === '' ? `${number(entries.length)} names` : `${number(shown)} of ${number(entries.length)} names`;
  byId('no-names').hidden = shown > 0 || entries.length === 0;
}

/** Replaces the list, and filters it. */
function replaceList(body) {
  byId('names').replaceChildren(...show(body));
  filterNames();
}

for (const id of ['add-form', 'replace-form'])
  wireForm(byId(id), call, {
    done(body) {
      byId('add-form').reset();
      replaceList(body);
      announce('Saved.');
    },
  });

byId('names-filter').addEventListener('input', filterNames);
await fill(byId('names'), async () => show(await get(PATH)));
if (byId('names-count')) filterNames();
