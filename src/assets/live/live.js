/** Shows the event stream: one card for each source with its countdown, and the messages as they come. */
import { headlineOf, TITLES, windowOf } from './sources.js';

const MAX_LOG = 100;

const byId = (id) => document.getElementById(id);
const cards = new Map();
/** Highest event id seen; messages above it are news, those at it belong to a snapshot. */
let newestId = null;
let news = 0;
let isOpen = false;

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days > 0 ? `${days} d ` : ''}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

function cardOf(type) {
  const known = cards.get(type);
  if (known) return known;
  const parts = { root: element('article', 'card'), headline: element('p', 'headline'), countdown: element('p', 'countdown'), data: null };
  parts.root.append(element('h2', '', TITLES[type] ?? type), parts.headline, parts.countdown);
  byId('cards').append(parts.root);
  cards.set(type, parts);
  return parts;
}

/** Brings the countdowns to the second, and tells which of them is over first. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  let next = null;
  for (const [type, { root, data, countdown }] of cards) {
    const span = data && windowOf(type, data, now);
    if (!span) continue;
    const isBefore = now < span.starts_at;
    const at = isBefore ? span.starts_at : span.ends_at;
    root.dataset.now = isBefore ? 'before' : now < at ? 'inside' : 'after';
    if (now < at) countdown.textContent = `${isBefore ? 'starts' : 'ends'} in ${duration(at - now)}`;
    else countdown.textContent = `ended ${duration(now - at)} ago`;
    if (now < at && (next === null || at < next.at)) next = { at, type };
  }
  byId('next').textContent = next ? `Next by the clock: ${TITLES[next.type]} in ${duration(next.at - now)}` : '';
}

function flash({ root }) {
  root.classList.remove('changed');
  // A frame without the class, or the animation would not start again.
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.add('changed')));
}

function addToLog(event, { type, data, ts }, isNews) {
  const time = element('time', '', new Date(ts * 1000).toLocaleTimeString([], { hour12: false }));
  const summary = element('summary', '', time, element('b', '', type), element('span', 'text', headlineOf(type, data)));
  summary.append(element('span', 'id', isNews ? `#${event.lastEventId}` : 'snapshot'));
  const details = element('details', '', summary);
  // Most messages are never looked into: the text is laid out when one is.
  details.addEventListener('toggle', () => details.append(element('pre', '', JSON.stringify({ type, data, ts }, null, 2))), { once: true });
  const log = byId('log');
  log.prepend(element('li', isNews ? 'news' : 'snapshot', details));
  while (log.children.length > MAX_LOG) log.lastElementChild.remove();
}

function showState() {
  if (isOpen)
    byId('state').textContent = `Connected, ${news === 0 ? 'nothing new yet' : `${news} new ${news === 1 ? 'message' : 'messages'}`}`;
}

function receive(event) {
  const message = JSON.parse(event.data);
  const id = Number(event.lastEventId);
  const isNews = newestId !== null && id > newestId;
  newestId = Math.max(newestId ?? 0, id);
  const card = cardOf(message.type);
  card.data = message.data;
  card.headline.textContent = headlineOf(message.type, message.data);
  if (isNews) {
    news += 1;
    flash(card);
    showState();
  }
  addToLog(event, message, isNews);
  tick();
}

byId('command').textContent = `curl -N ${location.origin}/v1/events/stream`;
const source = new EventSource('/v1/events/stream');
source.addEventListener('open', () => {
  isOpen = true;
  byId('state').dataset.state = 'open';
  showState();
});
source.addEventListener('error', () => {
  isOpen = false;
  byId('state').dataset.state = 'lost';
  byId('state').textContent =
    source.readyState === EventSource.CLOSED ? 'Refused: too many requests, or the stream is full. Reload in a minute.' : 'Reconnecting…';
});
for (const type of Object.keys(TITLES)) source.addEventListener(type, receive);
setInterval(tick, 1000);
