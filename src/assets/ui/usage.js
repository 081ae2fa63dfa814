/** Usage of the tokens of the account. */
import { get } from './api.js';
import { usageCharts } from './charts.js';
import { byId, fill, h } from './dom.js';
import './portal.js';
import { showRequestsOf } from './requests.js';

const [tokenList, daysList] = [byId('token'), byId('days')];

const show = () =>
  fill(byId('usage'), async () => {
    const path = tokenList.value === '' ? '/tokens/activity' : `/tokens/${encodeURIComponent(tokenList.value)}/activity`;
    const summary = await get(`${path}?days=${daysList.value}`);
    if (tokens.length === 0) {
      const link = h('a', { className: 'button primary', href: '/portal/tokens' }, 'Create a token');
      return [h('p', {}, 'No tokens yet. Requests appear here after you use a token.'), h('p', { className: 'links' }, link)];
    }
    const hint = tokenList.value === '' ? [h('p', { className: 'hint' }, 'Select a token to see its remaining rate limits.')] : [];
    return [...hint, ...usageCharts(summary)];
  });

const nameOf = (id) => tokens.find((token) => token.id === id)?.name ?? 'a deleted token';
const showSingle = () => showRequestsOf(tokenList.value, nameOf);

daysList.addEventListener('change', show);
tokenList.addEventListener('change', () => Promise.all([show(), showSingle()]));
byId('usage-form').addEventListener('submit', (event) => event.preventDefault());

const requestedId = new URLSearchParams(location.search).get('token');
let tokens = [];

await fill(byId('usage-state'), async () => {
  tokens = await get('/tokens');
  const usable = tokens.filter(({ revoked }) => !revoked);
  // Remaining rate limits are shown per token, so the only token is selected.
  const selectedId = requestedId ?? (usable.length === 1 ? usable[0].id : null);
  for (const { id, name } of tokens) tokenList.append(h('option', { value: id, selected: id === selectedId }, name));
  await Promise.all([show(), showSingle()]);
  // The sections appear together, which avoids layout shifts.
  byId('usage-sections').hidden = false;
  return [];
});
if (location.hash === '#why-429') byId('why-429').scrollIntoView();
