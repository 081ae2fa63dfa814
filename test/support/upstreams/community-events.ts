import { httpUpstream } from './http-upstream.ts';

/** An entry of the calendar. Most fields are strings; dates are unix seconds in decimal. */
export type CalendarEntry = Readonly<Record<string, unknown>>;

const DAY = 86_400;

/** Mock of the community calendar: a JSON array. */
export const communityEventsUpstream = httpUpstream<{ entries: CalendarEntry[] }>({
  name: 'community-events',
  port: 9812,
  initial: (now) => ({
    entries: [
      entry('101', 'Spring contest', 'Contest', now - DAY, now + 2 * DAY, 'contest=55'),
      entry('102', 'Double drops', 'Event', now + DAY, now + 3 * DAY, ''),
      entry('103', 'Key giveaway', 'Giveaway', now - 9 * DAY, now - 2 * DAY, 'giveaway=7'),
    ],
  }),
  respond({ path }, { entries }) {
    return path === '/calendar/feed' ? { body: entries } : { status: 404, body: 'not found' };
  },
  wiring: (url) => ({ vars: { COMMUNITY_EVENTS_URL: `${url}/calendar/feed` } }),
});

function entry(id: string, name: string, category: string, start: number, end: number, lookup: string): CalendarEntry {
  return {
    id,
    name,
    url: `https://community.example/event/${id}`,
    startdate: String(start),
    enddate: String(end),
    category,
    image: '',
    icon: 'https://community.example/icons/calendar.png',
    lookup,
  };
}
