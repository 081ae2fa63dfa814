/** Front page: updates the server-rendered tiles with events of the stream. */
import { headlineOf, windowOf } from '/live/sources.js';
import { duration, followStream } from '/live/stream.js';
import { byId } from './dom.js';
import { tickText } from './ticks.js';
import { utcText } from './times.js';

const tiles = new Map([...document.querySelectorAll('#rotations [data-type]')].map((tile) => [tile.dataset.type, { tile, data: null }]));

/** Updates the countdowns. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  for (const [type, { tile, data }] of tiles) {
    const span = data && windowOf(type, data, now);
    if (!span) continue;
    const isBefore = now < span.starts_at;
    const isOver = now >= span.ends_at;
    const at = isBefore ? span.starts_at : span.ends_at;
    tile.dataset.now = isBefore ? 'before' : isOver ? 'after' : 'inside';
    const countdown = tile.querySelector('.countdown');
    if (span.headline) tile.querySelector('.headline').textContent = span.headline;
    const relative = isOver ? `ended ${duration(now - at)} ago` : `${isBefore ? 'starts' : 'ends'} in ${duration(at - now)}`;
    countdown.textContent = `${relative} · ${tickText({ at, form: 'dayClock' })}`;
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

const types = [...tiles.keys()];
followStream(`/v1/events/stream?types=${types.join(',')}`, types, receive, (state, text) => {
  byId('stream-state').textContent = state === 'open' ? 'Live' : text;
});
setInterval(tick, 1000);
