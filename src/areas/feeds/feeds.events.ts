import type { z } from '@hono/zod-openapi';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { NewsBody } from './feeds.schemas.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    game_news: z.infer<typeof NewsBody>;
  }
}

/** The newest article of the official news. */
export const newsEvent: EventDeclaration<'game_news'> = {
  type: 'game_news',
  row: 11,
  label: 'News',
  summary: 'A news article was published',
  hint: 'a new article of the official news',
  sample: (now) => ({
    items: [
      {
        title: 'Patch notes: Lunar Plunge',
        url: 'https://trovegame.com/news/lunar-plunge/',
        author: 'Team Trove',
        summary: 'A new event comes to every world...',
        category: 'Patch Notes',
        categories: ['Patch Notes', 'PC'],
        image: null,
        published_at: toIso(now),
      },
    ],
    count: 1,
  }),
  chat: {
    text: { title: '{title}', url: '{url}', description: '{summary}', color: '#5EC6FF', footer: '{category}' },
    variablesOf({ items: [newest] }) {
      if (!newest) return null;
      const { title, url, author, summary, category, image } = newest;
      return { title, url, author, summary, category, image };
    },
  },
};
