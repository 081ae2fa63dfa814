/** The live page: a card with a countdown for each source, and a log of the received messages. */
import { tickText } from '/ui/ticks.js';
import { utcText } from '/ui/times.js';
import { headlineOf, windowOf } from './sources.js';
import { duration, followStream } from './stream.js';

const MAX_LOG_LINES = 100;
/** Time within which the messages of the snapshot arrive after a connect. */
const SNAPSHOT_WINDOW_MS = 400;

const byId = (id) => document.getElementById(id);
const cards = new Map(
  [...document.querySelectorAll('#cards [data-type]')].map((root) => [
    root.dataset.type,
    {
      root,
      title: root.querySelector('h2').textContent,
      headline: root.querySelector('.headline'),
      countdown: root.querySelector('.countdown'),
      data: null,
    },
  ]),
);
/** Highest received event id. Messages with a higher id are new; messages with the same id belong to a snapshot. */
let newestId = null;
let newCount = 0;
let isOpen = false;

function element(tag, className, ...content) {
  const created = document.createElement(tag);
  created.className = className;
  created.append(...content);
  return created;
}

/** Updates the countdowns and shows the next change. */
function tick() {
  const now = Math.floor(Date.now() / 1000);
  let next = null;
  for (const [type, { root, title, data, headline, countdown }] of cards) {
    const span = data && windowOf(type, data, now);
    if (!span) continue;
    const isBefore = now < span.starts_at;
    const at = isBefore ? span.starts_at : span.ends_at;
    root.dataset.now = isBefore ? 'before' : now < at ? 'inside' : 'after';
    const relative = now < at ? `${isBefore ? 'starts' : 'ends'} in ${duration(at - now)}` : `ended ${duration(now - at)} ago`;
    countdown.textContent = `${relative} · ${tickText({ at, form: 'dayClock' })}`;
    countdown.title = utcText(new Date(at * 1000).toISOString());
    if (span.headline) headline.textContent = span.headline;
    if (now < at && (next === null || at < next.at)) next = { at, title };
  }
  byId('next').textContent = next ? `Next: ${next.title} in ${duration(next.at - now)}` : '';
}

function flash({ root }) {
  root.classList.remove('changed');
  // The animation restarts after a frame without the class.
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.add('changed')));
}

/** Lines that are not in the log yet. The lines of a snapshot are added together, which avoids layout shifts. */
let pending = [];

function flushLog() {
  const log = byId('log');
  const lines = pending.reverse();
  pending = [];
  const snapshot = lines.filter(({ className }) => className === 'snapshot');
  log.prepend(...lines.filter(({ className }) => className !== 'snapshot'));
  if (snapshot.length > 0) log.prepend(foldedSnapshot(snapshot));
  while (log.children.length > MAX_LOG_LINES) log.lastElementChild.remove();
}

/** The lines of a snapshot as one line that opens. */
function foldedSnapshot(lines) {
  const list = element('ol', 'lines', ...lines);
  const [time] = lines[0].querySelectorAll('time');
  const summary = element(
    'summary',
    '',
    time.cloneNode(true),
    element('b', '', 'snapshot'),
    element('span', 'text', `${lines.length} sources`),
  );
  return element('li', 'snapshot', element('details', '', summary, list));
}

function addToLog(event, { type, data, ts }, isNews) {
  const at = new Date(ts * 1000);
  const time = element('time', '', at.toLocaleTimeString([], { hour12: false }));
  time.dateTime = at.toISOString();
  time.title = `${time.dateTime.slice(0, 19).replace('T', ' ')} UTC`;
  const summary = element('summary', '', time, element('b', '', type), element('span', 'text', headlineOf(type, data)));
  summary.append(element('span', 'id', isNews ? `#${event.lastEventId}` : 'snapshot'));
  const details = element('details', '', summary);
  // Most messages are never opened, so their JSON is formatted on opening.
  details.addEventListener('toggle', () => details.append(element('pre', '', JSON.stringify({ type, data, ts }, null, 2))), { once: true });
  if (pending.length === 0) setTimeout(flushLog, isNews ? 0 : SNAPSHOT_WINDOW_MS);
  pending.push(element('li', isNews ? 'news' : 'snapshot', details));
}

function showState() {
  if (isOpen)
    byId('state').textContent =
      `Connected, ${newCount === 0 ? 'no new messages' : `${newCount} new ${newCount === 1 ? 'message' : 'messages'}`}`;
}

function receive(event) {
  const message = JSON.parse(event.data);
  const id = Number(event.lastEventId);
  const isNews = newestId !== null && id > newestId;
  newestId = Math.max(newestId ?? 0, id);
  const card = cards.get(message.type);
  card.data = message.data;
  card.headline.textContent = headlineOf(message.type, message.data);
  if (isNews) {
    newCount += 1;
    flash(card);
    showState();
  }
  addToLog(event, message, isNews);
  tick();
}

const types = [...cards.keys()];
followStream(`/v1/events/stream?types=${types.join(',')}`, types, receive, (state, text) => {
  isOpen = state === 'open';
  byId('state').dataset.state = state;
  if (isOpen) {
    showState();
    setTimeout(fillGaps, 3000);
  } else if (byId('state').textContent !== text) byId('state').textContent = text;
});
/** The snapshot omits sources without data. */
function fillGaps() {
  for (const { data, headline } of cards.values()) if (data === null) headline.textContent = isOpen ? 'No data yet' : 'Not connected';
}
setTimeout(fillGaps, 3000);
setInterval(tick, 1000);
