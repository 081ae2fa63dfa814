/** Front page: updates the server-rendered tiles with events of the stream. */
import { headlineOf, windowOf } from '/live/sources.js';
import { followStream } from '/live/stream.js';
import { leftText } from './countdowns.js';
import { byId, h } from './dom.js';
import './followed.js';
import { tickText } from './ticks.js';
import { utcText } from './times.js';

/** Tiles of the game week, which no event changes. */
const COMPUTED = ['weekly_bonus', 'reset'];
const tiles = new Map([...document.querySelectorAll('#rotations [data-type]')].map((tile) => [tile.dataset.type, { tile, data: null }]));

/** The window of a tile: of its last event, otherwise as the server rendered it. */
function windowOfTile(type, { tile, data }, now) {
  if (data !== null) return windowOf(type, data, now);
  const { from, to } = tile.dataset;
  return from === undefined || to === undefined ? null : { starts_at: Number(from), ends_at: Number(to) };
}

/** Updates the countdowns. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  for (const [type, entry] of tiles) {
    const { tile } = entry;
    const span = windowOfTile(type, entry, now);
    const countdown = tile.querySelector('.countdown');
    if (!span || !countdown) continue;
    const isBefore = now < span.starts_at;
    const isOver = now >= span.ends_at;
    const at = isBefore ? span.starts_at : span.ends_at;
    tile.dataset.now = isBefore ? 'before' : isOver ? 'after' : 'inside';
    if (span.headline) tile.querySelector('.headline').textContent = span.headline;
    const relative = isOver ? `ended ${leftText(now - at)} ago` : `${isBefore ? 'starts' : 'ends'} in ${leftText(at - now)}`;
    // The moment itself does not fit beside the countdown on a phone.
    const moment = h('span', { className: 'moment' }, ` · ${tickText({ at, form: 'dayClock' })}`);
    countdown.replaceChildren(relative, moment);
    countdown.title = utcText(new Date(at * 1000).toISOString());
  }
}

let newestId = null;

function receive(event) {
  const { type, data } = JSON.parse(event.data);
  const entry = tiles.get(type);
  if (!entry) return;
  const id = Number(event.lastEventId);
  const isNews = newestId !== null && id > newestId;
  newestId = Math.max(newestId ?? 0, id);
  entry.data = data;
  entry.tile.querySelector('.headline').textContent = headlineOf(type, data) || 'Not known yet';
  entry.tile.classList.toggle('changed', isNews);
  tick();
}

const types = [...tiles.keys()].filter((type) => !COMPUTED.includes(type));
followStream(`/v1/events/stream?types=${types.join(',')}`, types, receive, (state, text) => {
  byId('stream-state').textContent = state === 'open' ? 'Live' : text;
});
tick();
setInterval(tick, 1000);
