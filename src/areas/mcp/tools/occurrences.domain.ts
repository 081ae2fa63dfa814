import { gameWeekdayIndex, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';

interface Window {
  starts_at: UnixSeconds;
  ends_at: UnixSeconds;
}
interface BiomeWindow extends Window {
  biomes: { final_name: string }[];
}
interface BiomeRotation {
  current: BiomeWindow | null;
  upcoming: BiomeWindow[];
}

/** Fields of the snapshot that tools use. A part is null while its feature is switched off. */
export interface SnapshotParts {
  'server-time'?: { daily_reset_at: UnixSeconds; weekly_reset_at: UnixSeconds } | null;
  'daily-buffs'?: {
    current: { name: string; normal_buffs: string[]; premium_buffs: string[] };
    week: { name: string; weekday: string; normal_buffs: string[] }[];
  } | null;
  'weekly-buffs'?: { current: { name: string; buffs: string[] }; rotation: { name: string; buffs: string[] }[] } | null;
  corruxion?: { schedule: Window[] } | null;
  fluxion?: { schedule: (Window & { state: string })[] } | null;
  luxion?: { schedule: (Window & { state: string })[] } | null;
  gardening?: { two_day: GardeningWindow; three_day: GardeningWindow; upcoming: GardeningWindow[] } | null;
  'chaos-chest'?: (Window & { item: { name: string } | null }) | null;
  'challenge/current'?: (Window & { active: boolean; name: string | null; type: string | null }) | null;
  biomes?: BiomeRotation | null;
  'wild-mana'?: BiomeRotation | null;
  stampy?: BiomeRotation | null;
}
interface GardeningWindow extends Window {
  name: string;
}

/** One occurrence of a recurring event. */
export interface Occurrence {
  text: string;
  startsAt: UnixSeconds;
  /** Null for an event without duration. */
  endsAt: UnixSeconds | null;
}

export const TOPICS = [
  ...(['corruxion', 'fluxion', 'luxion', 'daily_bonus', 'weekly_bonus', 'challenge', 'chaos_chest', 'gardening'] as const),
  ...(['biome', 'wild_mana', 'stampy', 'daily_reset', 'weekly_reset'] as const),
] as const;
type Topic = (typeof TOPICS)[number];

/** Snapshot parts that each topic needs. */
export const PARTS_OF: Readonly<Record<Topic, readonly (keyof SnapshotParts)[]>> = {
  corruxion: ['corruxion'],
  fluxion: ['fluxion'],
  luxion: ['luxion'],
  daily_bonus: ['server-time', 'daily-buffs'],
  weekly_bonus: ['server-time', 'weekly-buffs'],
  challenge: ['challenge/current'],
  chaos_chest: ['chaos-chest'],
  gardening: ['gardening'],
  biome: ['biomes'],
  wild_mana: ['wild-mana'],
  stampy: ['stampy'],
  daily_reset: ['server-time'],
  weekly_reset: ['server-time'],
};

const SECONDS_PER_WEEK = 7 * SECONDS_PER_DAY;
const UPCOMING_CHALLENGES = 8;
const FRIDAY_INDEX = 4;

/** Current and upcoming occurrences, soonest first. */
export function occurrencesOf(topic: Topic, parts: SnapshotParts, now: UnixSeconds): Occurrence[] {
  return OCCURRENCES[topic](parts)
    .filter(({ startsAt, endsAt }) => (endsAt ?? startsAt) > now)
    .sort((one, other) => one.startsAt - other.startsAt);
}

const OCCURRENCES: Readonly<Record<Topic, (parts: SnapshotParts) => Occurrence[]>> = {
  corruxion: ({ corruxion }) => (corruxion?.schedule ?? []).map((window) => occurrence('Corruxion', window)),
  fluxion: ({ fluxion }) => (fluxion?.schedule ?? []).map((window) => occurrence(`Fluxion (${window.state})`, window)),
  luxion: ({ luxion }) => (luxion?.schedule ?? []).map((window) => occurrence(`Luxion (${window.state})`, window)),
  daily_bonus: (parts) => dailyBonuses(parts),
  weekly_bonus: (parts) => weeklyBonuses(parts),
  challenge: ({ 'challenge/current': window }) => (window ? challenges(window) : []),
  chaos_chest: ({ 'chaos-chest': window }) =>
    window
      ? [
          occurrence(`Chaos chest: ${window.item?.name ?? 'item not reported yet'}`, window),
          { text: 'Next chaos chest', startsAt: window.ends_at, endsAt: window.ends_at + SECONDS_PER_WEEK },
        ]
      : [],
  gardening: ({ gardening }) => (gardening ? gardeningWindows(gardening) : []),
  biome: ({ biomes }) => biomeWindows('Biomes', biomes),
  wild_mana: (parts) => biomeWindows('Wild mana', parts['wild-mana']),
  stampy: ({ stampy }) => biomeWindows('Stampy', stampy),
  daily_reset: ({ 'server-time': time }) => resets('Daily reset', time?.daily_reset_at, SECONDS_PER_DAY),
  weekly_reset: ({ 'server-time': time }) => resets('Weekly reset', time?.weekly_reset_at, SECONDS_PER_WEEK),
};

function occurrence(text: string, { starts_at: startsAt, ends_at: endsAt }: Window): Occurrence {
  return { text, startsAt, endsAt };
}

/** Each bonus of the week once, starting with the active one. */
function dailyBonuses({ 'server-time': time, 'daily-buffs': bonuses }: SnapshotParts): Occurrence[] {
  if (!time || !bonuses) return [];
  const current = bonuses.week.findIndex(({ name }) => name === bonuses.current.name);
  return bonuses.week.map(({ name, weekday, normal_buffs: effects }, index) => {
    const startsAt = time.daily_reset_at + (((index - current + 7) % 7) - 1) * SECONDS_PER_DAY;
    return { text: `${name} (${weekday}): ${effects.join('; ')}`, startsAt, endsAt: startsAt + SECONDS_PER_DAY };
  });
}

/** Each bonus of the rotation once, starting with the active one. */
function weeklyBonuses({ 'server-time': time, 'weekly-buffs': bonuses }: SnapshotParts): Occurrence[] {
  if (!time || !bonuses) return [];
  const { length } = bonuses.rotation;
  const current = bonuses.rotation.findIndex(({ name }) => name === bonuses.current.name);
  return bonuses.rotation.map(({ name, buffs }, index) => {
    const startsAt = time.weekly_reset_at + (((index - current + length) % length) - 1) * SECONDS_PER_WEEK;
    return { text: `${name}: ${buffs.join('; ')}`, startsAt, endsAt: startsAt + SECONDS_PER_WEEK };
  });
}

/** The current window and the next ones. */
function challenges(window: NonNullable<SnapshotParts['challenge/current']>): Occurrence[] {
  const length = window.ends_at - window.starts_at;
  const windows = [occurrence(`Challenge: ${window.name ?? 'not reported yet'}`, window)];
  let startsAt = window.starts_at;
  while (windows.length <= UPCOMING_CHALLENGES) {
    startsAt += challengeStep(startsAt);
    windows.push({ text: 'Next challenge (name not known before the start)', startsAt, endsAt: startsAt + length });
  }
  return windows;
}

/** Seconds between the starts of challenges: half an hour during the game day Friday (specification, "Challenge cadence"), else an hour. */
function challengeStep(at: UnixSeconds): number {
  return gameWeekdayIndex(at) === FRIDAY_INDEX ? SECONDS_PER_HOUR / 2 : SECONDS_PER_HOUR;
}

function gardeningWindows({ two_day: two, three_day: three, upcoming }: NonNullable<SnapshotParts['gardening']>): Occurrence[] {
  const all = [two, three, ...upcoming].map((window) => occurrence(`Gardening, ${window.name}`, window));
  return [...new Map(all.map((window) => [`${window.text} ${window.startsAt}`, window])).values()];
}

function biomeWindows(text: string, rotation: BiomeRotation | null | undefined): Occurrence[] {
  const windows = rotation ? [...(rotation.current ? [rotation.current] : []), ...rotation.upcoming] : [];
  return windows.map((window) => occurrence(`${text}: ${window.biomes.map(({ final_name: name }) => name).join(', ')}`, window));
}

function resets(text: string, first: UnixSeconds | undefined, period: number): Occurrence[] {
  return first === undefined ? [] : [0, 1, 2].map((index) => ({ text, startsAt: first + index * period, endsAt: null }));
}
