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
    byId('names').replaceChildren(...show(remaining));
    announce(`${name} removed.`);
  };
  const entries = names.map((name) => {
    const removeButton = button('✕', remove(name), 'cross');
    removeButton.setAttribute('aria-label', `Remove ${name}`);
    return h('li', {}, name, removeButton);
  });
  return [
    h('p', { className: 'hint' }, `${number(names.length)} names`),
    entries.length > 0 ? h('ul', { className: 'chips' }, ...entries) : '',
  ];
}

for (const id of ['add-form', 'replace-form'])
  wireForm(byId(id), call, {
    done(body) {
      byId('add-form').reset();
      byId('names').replaceChildren(...show(body));
      announce('Saved.');
    },
  });

await fill(byId('names'), async () => show(await get(PATH)));
