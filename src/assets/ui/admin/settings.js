/** The run-time settings, each with an editor of its type. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, time } from '../dom.js';
import '../portal.js';

let items = [];

const pathOf = ({ key }) => `/admin/config/${encodeURIComponent(key)}`;

/** The input of a setting, and how its value is read. */
function editorOf(item) {
  const shared = { id: `setting-${item.key}`, 'aria-describedby': `about-${item.key}` };
  if (item.type === 'bool') {
    const input = h('input', { ...shared, type: 'checkbox', checked: item.value });
    return { input, read: () => input.checked };
  }
  if (item.choices) {
    const options = item.choices.map((choice) => h('option', { value: choice, selected: choice === item.value }, choice));
    const input = h('select', shared, ...options);
    return { input, read: () => input.value };
  }
  if (item.type === 'str') {
    const input = h('input', {
      ...shared,
      type: item.secret ? 'password' : 'text',
      value: item.secret ? '' : item.value,
      autocomplete: 'off',
    });
    if (item.secret && item.value !== '') input.placeholder = 'set; not shown';
    return { input, read: () => input.value };
  }
  const input = h('input', {
    ...shared,
    type: 'number',
    step: item.type === 'int' ? '1' : 'any',
    value: String(item.value),
    required: true,
  });
  if (item.min_value !== null) input.min = String(item.min_value);
  if (item.max_value !== null) input.max = String(item.max_value);
  return { input, read: () => input.valueAsNumber };
}

function boundsOf(item) {
  const bounds = [];
  if (item.min_value !== null || item.max_value !== null) bounds.push(`${item.min_value ?? '…'} to ${item.max_value ?? '…'}`);
  if (!item.secret) bounds.push(`default ${item.default === '' ? 'empty' : item.default}`);
  return `${item.description}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`;
}

function rowOf(item) {
  const { input, read } = editorOf(item);
  const row = h('div', { className: 'card setting small' });
  const replace = (changed, said) => {
    items = items.map((other) => (other.key === changed.key ? changed : other));
    row.replaceWith(rowOf(changed));
    announce(said);
    byId(`setting-${changed.key}`)?.focus();
  };
  const save = async () => {
    if (!input.reportValidity()) return;
    replace(await call('PUT', pathOf(item), { value: read() }), `${item.key} is saved.`);
  };
  row.append(
    h(
      'div',
      {},
      h('div', { className: 'token-head' }, h('label', { for: input.id }, h('code', {}, item.key)), ...marksOf(item)),
      h('p', { className: 'hint', id: `about-${item.key}` }, boundsOf(item)),
    ),
    h(
      'div',
      {},
      input,
      h(
        'div',
        { className: 'actions' },
        button('Save', save),
        ...(item.is_default
          ? []
          : [button('Back to default', async () => replace(await call('DELETE', pathOf(item)), `${item.key} is reset.`))]),
      ),
    ),
  );
  return row;
}

function marksOf({ is_default: isDefault, updated_at: updatedAt }) {
  return isDefault ? [] : [h('span', { className: 'badge warn' }, 'changed'), h('span', { className: 'hint' }, time(updatedAt))];
}

function show() {
  const wanted = byId('q').value.trim().toLowerCase();
  const shown = items.filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(wanted));
  const groups = Map.groupBy(shown, ({ category }) => category);
  if (shown.length === 0) return h('p', { className: 'hint' }, 'No setting is called that.');
  return [...groups].map(([category, members]) =>
    h(
      'details',
      { className: 'group', open: wanted !== '' },
      h('summary', {}, `${category.replaceAll('_', ' ')} (${members.length})`),
      ...members.map(rowOf),
    ),
  );
}

byId('q').addEventListener('input', () => fill(byId('settings'), show));
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await fill(byId('settings'), async () => {
  ({ items } = await get('/admin/config'));
  return show();
});
