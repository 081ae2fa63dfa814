/** One-line summaries of the event types. */

const SECONDS_PER_DAY = 86_400;
/** The game day starts at 11:00 UTC. */
const GAME_OFFSET_SECONDS = 11 * 3600;
/** A challenge starts at each full hour. */
const CHALLENGE_PERIOD_SECONDS = 3600;

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const biomeNames = (biomes) => biomes.map((biome) => biome.name).join(', ');

/** Only types about which `stateOf` says too little. A test names a type without any line. */
const headlines = {
  challenge: (data) => data.name ?? (data.active ? 'Not reported yet' : 'Between windows'),
  chaos: (data) => data.item?.name ?? 'Not reported yet',
  fluxion: (data) => capitalised(data.state),
  longshade: (data) => biomeNames(data.current.biomes),
  wild_mana: (data) => biomeNames(data.current.biomes),
  stampy: (data) => biomeNames(data.current.biomes),
  activity: (data) => (data.estimate_24h === null ? 'Not known yet' : `${data.estimate_24h.toLocaleString('en')} active within 24 hours`),
  server_status: (data) => (data.overall === 'unknown' ? 'Not known yet' : capitalised(data.overall)),
  game_news: (data) => data.items[0]?.title ?? 'None yet',
  giveaways: (data) => (data.length === 0 ? 'None open' : `${data.length} open`),
  game_update: (data) => data.version.version_tag,
  mod_release: (data) => `${data.project.title} ${data.release.tag}`,
  luxion: (data) => (data.merchant_open ? `Open, ${data.current_window.state}` : data.active ? 'Here, closed' : 'Away'),
};

/** Summary of a type without one of its own: whether it is there, or the name of what is current. */
function stateOf(data) {
  if (typeof data.active === 'boolean') return data.active ? 'Here' : 'Away';
  return data.current?.name ?? data.name ?? data.title;
}

/** One line about a message; empty for an unknown body. */
export function headlineOf(type, data) {
  try {
    return (headlines[type] ?? stateOf)(data) ?? '';
  } catch {
    return '';
  }
}

/** The current or next time window of a source, with a headline if it differs from that of the data; null for a source without windows. */
export function windowOf(type, data, now) {
  if (type === 'daily_bonuses') {
    const start = now - ((((now - GAME_OFFSET_SECONDS) % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY);
    return { starts_at: start, ends_at: start + SECONDS_PER_DAY };
  }
  if (type === 'challenge' && typeof data?.ends_at === 'number' && now >= data.ends_at) {
    // The next challenge starts with the next hour; its name is reported then.
    const start = now - (now % CHALLENGE_PERIOD_SECONDS) + CHALLENGE_PERIOD_SECONDS;
    return {
      starts_at: start,
      ends_at: start + data.ends_at - data.starts_at,
      headline: `Next challenge${data.name ? ` (last: ${data.name})` : ''}`,
    };
  }
  if (type === 'luxion') return data?.active ? (data.current_window ?? data.next_window ?? data) : null;
  const span = data?.current ?? data;
  return typeof span?.ends_at === 'number' && typeof span.starts_at === 'number' ? span : null;
}
