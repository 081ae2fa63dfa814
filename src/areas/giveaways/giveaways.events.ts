import type { z } from '@hono/zod-openapi';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { SECONDS_PER_DAY, toIso } from '../../platform/kit/time/clock.ts';
import type { GiveawaysBody } from './giveaways.schemas.ts';

type Giveaways = z.infer<typeof GiveawaysBody>;

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    giveaways: Giveaways;
  }
}

/** The giveaway that opened last; undefined when none is open. */
const newestOf = (open: Giveaways) => open.toSorted((one, other) => (one.starts_at < other.starts_at ? 1 : -1))[0];

/** The open giveaways. The stream also reports their ends; chats receive each giveaway once. */
export const giveawaysEvent: EventDeclaration<'giveaways'> = {
  type: 'giveaways',
  row: 12,
  label: 'Giveaways',
  summary: 'A giveaway opened or ended',
  hint: 'when a giveaway opens',
  feature: 'featureGiveawaysEnabled',
  sample: (now) => [
    {
      id: '0f6d3c1e-8a52-4c7b-9a37-5d2f1e0b7c44',
      title: 'Spring giveaway',
      description: 'One prize code, drawn among all entries.',
      prize_name: 'Golden Dragon Egg',
      status: 'open',
      starts_at: toIso(now),
      ends_at: toIso(now + 7 * SECONDS_PER_DAY),
      entry_count: 0,
      winner_username: null,
      seed_hash: null,
      seed: null,
      entries_hash: null,
      winner_entry_id: null,
    },
  ],
  chat: {
    text: {
      title: '{title}',
      description: '{description}',
      color: '#F2A33C',
      fields: [
        ['Prize', '{prize}'],
        ['Ends', '{ends_at:R}'],
      ],
    },
    keyOf: (open) => `giveaways:${newestOf(open)?.id}`,
    variablesOf(open) {
      const newest = newestOf(open);
      if (!newest) return null;
      const { title, description, prize_name: prize, ends_at: endsAt } = newest;
      return { title, description, prize, ends_at: Math.floor(Date.parse(endsAt) / 1000), open_count: open.length };
    },
  },
};
