/** Shows the event stream: one card for each source with its countdown, and the messages as they come. */

const MAX_LOG = 100;
const TITLES = {
  challenge: 'Challenge',
  chaos: 'Chaos chest',
  corruxion: 'Corruxion',
  fluxion: 'Fluxion',
  longshade: 'Biomes (3 hours)',
  wild_mana: 'Wild mana',
  stampy: 'Stampy',
  daily_bonuses: 'Daily bonus',
  activity: 'Players',
  server_status: 'Game servers',
  game_news: 'News',
  giveaways: 'Giveaways',
  game_update: 'Game update',
  mod_release: 'Mod release',
};

const cards = new Map();
const state = document.getElementById('state');
const log = document.getElementById('log');
let snapshotSecond = null;

const names = (biomes) => biomes.map((biome) => biome.name).join(', ');

/** What a source has to say, in one line. */
const headlines = {
  challenge: (data) => data.name ?? (data.active ? 'not reported yet' : 'between windows'),
  chaos: (data) => data.item?.name ?? 'not known yet',
  corruxion: (data) => (data.active ? 'is here' : 'is away'),
  fluxion: (data) => data.state,
  longshade: (data) => names(data.current.biomes),
  wild_mana: (data) => names(data.current.biomes),
  stampy: (data) => names(data.current.biomes),
  daily_bonuses: (data) => `${data.current.emoji} ${data.current.name}`,
  server_status: (data) => data.overall,
  game_news: (data) => data.items[0]?.title ?? 'none',
  game_update: (data) => data.version.version_tag,
  mod_release: (data) => `${data.project.title} ${data.release.tag}`,
};

/** The window a countdown runs in, if the source has one. */
function windowOf(data) {
  if (typeof data.ends_at === 'number') return data;
  return data.current && typeof data.current.ends_at === 'number' ? data.current : null;
}

function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days > 0 ? `${days} d ` : ''}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

function element(tag, className, text = '') {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function cardOf(type) {
  const known = cards.get(type);
  if (known) return known;
  const root = element('article', 'card');
  const parts = { root, headline: element('p', 'headline'), countdown: element('p', 'countdown'), data: null };
  root.append(element('h2', '', TITLES[type] ?? type), parts.headline, parts.countdown);
  document.getElementById('cards').append(root);
  cards.set(type, parts);
  return parts;
}

function tick() {
  const now = Math.floor(Date.now() / 1000);
  for (const { data, countdown } of cards.values()) {
    const range = data && windowOf(data);
    if (!range) continue;
    if (now < range.starts_at) countdown.textContent = `starts in ${duration(range.starts_at - now)}`;
    else countdown.textContent = now < range.ends_at ? `ends in ${duration(range.ends_at - now)}` : 'over';
  }
}

function receive(event) {
  const { type, data, ts } = JSON.parse(event.data);
  const card = cardOf(type);
  card.data = data;
  card.headline.textContent = headlines[type]?.(data) ?? '';
  tick();
  const isSnapshot = snapshotSecond === null || snapshotSecond === ts;
  if (snapshotSecond === null) snapshotSecond = ts;
  if (!isSnapshot) {
    card.root.classList.remove('changed');
    requestAnimationFrame(() => card.root.classList.add('changed'));
  }
  const line = element('li', isSnapshot ? 'snapshot' : 'live');
  line.append(element('time', '', new Date(ts * 1000).toLocaleTimeString()), ' ', element('b', '', type), ' ');
  line.append(element('span', '', `#${event.lastEventId} ${card.headline.textContent}`));
  log.prepend(line);
  while (log.children.length > MAX_LOG) log.lastElementChild.remove();
}

const source = new EventSource('/v1/events/stream');
source.addEventListener('open', () => {
  snapshotSecond = null;
  state.textContent = 'Connected';
  state.dataset.state = 'open';
});
source.addEventListener('error', () => {
  const closed = source.readyState === EventSource.CLOSED;
  state.textContent = closed ? 'Refused: too many requests, or the stream is full. Reload in a minute.' : 'Reconnecting…';
  state.dataset.state = 'lost';
});
for (const type of Object.keys(TITLES)) source.addEventListener(type, receive);
setInterval(tick, 1000);
