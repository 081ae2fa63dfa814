/** The front page: rotations as the event stream tells them, and the history of the game servers. */
import { headlineOf, TITLES, windowOf } from '/live/sources.js';
import { byId } from './dom.js';

const DAYS = 30;
const cards = new Map([...document.querySelectorAll('#rotations [data-type]')].map((card) => [card.dataset.type, { card, data: null }]));

function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days > 0 ? `${days} d ` : ''}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** Brings the countdowns to the second. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  for (const [type, { card, data }] of cards) {
    const span = data && windowOf(type, data, now);
    if (!span) continue;
    const isBefore = now < span.starts_at;
    const isOver = now >= span.ends_at;
    card.dataset.now = isBefore ? 'before' : isOver ? 'after' : 'inside';
    const text = isBefore
      ? `starts in ${duration(span.starts_at - now)}`
      : isOver
        ? `ended ${duration(now - span.ends_at)} ago`
        : `ends in ${duration(span.ends_at - now)}`;
    card.querySelector('.countdown').textContent = text;
  }
}

let newestId = null;

function receive(event) {
  const { type, data } = JSON.parse(event.data);
  const entry = cards.get(type);
  if (!entry) return;
  const id = Number(event.lastEventId);
  const isNews = newestId !== null && id > newestId;
  newestId = Math.max(newestId ?? 0, id);
  entry.data = data;
  entry.card.querySelector('.headline').textContent = headlineOf(type, data);
  entry.card.classList.toggle('changed', isNews);
  tick();
}

const types = [...cards.keys()].filter((type) => type in TITLES);
const source = new EventSource(`/v1/events/stream?types=${types.join(',')}`);
source.addEventListener('open', () => {
  byId('stream-state').textContent = 'Live';
});
source.addEventListener('error', () => {
  const isRefused = source.readyState === EventSource.CLOSED;
  byId('stream-state').textContent = isRefused ? 'No stream now: reload in a minute.' : 'Reconnecting…';
});
for (const type of types) source.addEventListener(type, receive);
setInterval(tick, 1000);

function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** The picture of a history: one stripe for each stretch of time, as wide as it was long. */
function stripOf({ window_start: start, window_end: end, segments, uptime }, title) {
  const said = uptime === null ? 'no history yet' : `${(uptime * 100).toFixed(2)} % online`;
  const picture = svg('svg', {
    viewBox: '0 0 1000 10',
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `${title}: ${said} in ${DAYS} days`,
  });
  for (const { status, started_at: from, ended_at: to, duration_seconds: seconds } of segments) {
    const x = ((from - start) / (end - start)) * 1000;
    const width = Math.max((((to ?? end) - from) / (end - start)) * 1000, 1.5);
    const stripe = svg('rect', { class: status, x, y: 0, width, height: 10 });
    const about = svg('title', {});
    about.textContent = `${status} from ${new Date(from * 1000).toLocaleString()} for ${duration(seconds)}`;
    stripe.append(about);
    picture.append(stripe);
  }
  return { picture, said };
}

async function showHistory(figure) {
  const response = await fetch(`/v1/misc/game-status/history?env=${figure.dataset.environment}&days=${DAYS}`);
  if (!response.ok) return;
  const { picture, said } = stripOf(await response.json(), figure.querySelector('b').textContent);
  figure.querySelector('.strip').replaceChildren(picture);
  figure.querySelector('[data-role="uptime"]').textContent = said;
}

await Promise.allSettled([...document.querySelectorAll('[data-environment]')].map(showHistory));
