import { z } from '@hono/zod-openapi';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type Occurrence, occurrencesOf, PARTS_OF, type SnapshotParts, TOPICS } from './occurrences.domain.ts';
import { defineTool, durationText, instantText, spanText, type ToolOutput } from './tool.domain.ts';

const SNAPSHOT = '/v1/snapshot';
const CURRENT_PARTS = [
  ...['server-time', 'daily-buffs', 'weekly-buffs', 'corruxion', 'fluxion', 'luxion', 'gardening'],
  ...['chaos-chest', 'challenge/current', 'biomes', 'wild-mana', 'stampy'],
];
const MAX_OCCURRENCES = 8;

interface SnapshotBody {
  parts: SnapshotParts;
}

export const onNowTool = defineTool({
  name: 'whats_on_now',
  title: 'Current events',
  description:
    'Returns current events of the game: daily and weekly bonus, the merchants Corruxion, Fluxion and Luxion, challenge, chaos chest, gardening, biomes, wild mana, stampy, and the end of the game day and week.',
  input: z.object({}),
  endpoints: [`GET ${SNAPSHOT}`],
  async run(_, { now, read }) {
    const query = { include: CURRENT_PARTS.join(',') };
    const { parts } = await read<SnapshotBody>(SNAPSHOT, { query });
    return { lines: onNowLines(parts, now), links: { ...pagesOf(), API: `${SNAPSHOT}?include=${query.include}` } };
  },
});

function onNowLines(parts: SnapshotParts, now: UnixSeconds): string[] {
  const time = parts['server-time'];
  const daily = parts['daily-buffs']?.current;
  const weekly = parts['weekly-buffs']?.current;
  const challenge = parts['challenge/current'];
  const chest = parts['chaos-chest'];
  const lines = [`Now: ${instantText(now)}.`];
  if (time) {
    lines.push(
      `The game day ends ${instantText(time.daily_reset_at)} (in ${durationText(time.daily_reset_at - now)}), the game week ${instantText(time.weekly_reset_at)}.`,
    );
  }
  if (daily) lines.push(`Daily bonus: ${daily.name}: ${daily.normal_buffs.join('; ')}. With premium: ${daily.premium_buffs.join('; ')}.`);
  if (weekly) lines.push(`Weekly bonus: ${weekly.name}: ${weekly.buffs.join('; ')}.`);
  for (const topic of ['corruxion', 'fluxion', 'luxion', 'gardening', 'biome', 'wild_mana', 'stampy'] as const) {
    const occurrences = occurrencesOf(topic, parts, now);
    const active = occurrences.filter(({ startsAt }) => startsAt <= now);
    for (const occurrence of active.length > 0 ? active : occurrences.slice(0, 1)) lines.push(occurrenceLine(occurrence, now));
  }
  if (challenge) {
    const name = challenge.name ?? 'not reported yet';
    lines.push(
      `Challenge: ${challenge.active ? `${name}${challenge.type ? ` (${challenge.type})` : ''}, ends ${instantText(challenge.ends_at)}` : 'none'}.`,
    );
  }
  if (chest) lines.push(`Chaos chest: ${chest.item?.name ?? 'item not reported yet'}, ${spanText(chest.starts_at, chest.ends_at, now)}.`);
  return lines;
}

export const whenNextTool = defineTool({
  name: 'when_is_next',
  title: 'Next occurrence',
  description:
    'Returns the next occurrences of a recurring event: a merchant, a daily or weekly bonus, a challenge, the chaos chest, gardening days, a biome, wild mana, stampy, the daily or weekly reset. `name` selects one of several, such as the daily bonus "Delve Day", the biome "Candoria" or the state "selling" of fluxion.',
  input: z.object({
    what: z.enum(TOPICS).describe('The recurring event.'),
    name: z.string().max(100).optional().describe('Only occurrences whose name or effect contains this text.'),
    count: z.number().int().min(1).max(MAX_OCCURRENCES).default(3).describe('Maximum number of occurrences.'),
  }),
  endpoints: [`GET ${SNAPSHOT}`],
  async run({ what, name, count }, { now, read }) {
    const query = { include: PARTS_OF[what].join(',') };
    const { parts } = await read<SnapshotBody>(SNAPSHOT, { query });
    const filter = (name ?? '').trim().toLowerCase();
    const all = occurrencesOf(what, parts, now);
    const matching = all.filter(({ text }) => text.toLowerCase().includes(filter));
    const lines = matching.slice(0, count).map((occurrence) => occurrenceLine(occurrence, now));
    const links = { ...pagesOf(), API: `${SNAPSHOT}?include=${query.include}` };
    if (lines.length > 0) return { lines, links } satisfies ToolOutput;
    const upcoming = [...new Set(all.map(({ text }) => text))].slice(0, 20).join(' | ');
    return { lines: [`No upcoming occurrence of "${name ?? what}". Upcoming: ${upcoming || 'none'}.`], links };
  },
});

function occurrenceLine({ text, startsAt, endsAt }: Occurrence, now: UnixSeconds): string {
  return `${text}: ${endsAt === null ? `${instantText(startsAt)} (in ${durationText(startsAt - now)})` : spanText(startsAt, endsAt, now)}.`;
}

function pagesOf(): Record<string, string> {
  return { 'Live page': '/live', 'Calendar subscription': '/v1/rotations/calendar.ics' };
}
