/** What the tokens of the account are used for. */
import { get } from './api.js';
import { usageCharts } from './charts.js';
import { byId, fill, h } from './dom.js';
import './portal.js';

const [tokenList, daysList] = [byId('token'), byId('days')];

const show = () =>
  fill(byId('usage'), async () => {
    const path = tokenList.value === '' ? '/tokens/activity' : `/tokens/${encodeURIComponent(tokenList.value)}/activity`;
    return usageCharts(await get(`${path}?days=${daysList.value}`));
  });

byId('usage-form').addEventListener('change', show);
byId('usage-form').addEventListener('submit', (event) => event.preventDefault());

const wanted = new URLSearchParams(location.search).get('token');
for (const { id, name } of await get('/tokens')) tokenList.append(h('option', { value: id, selected: id === wanted }, name));
await show();
