import { env } from 'cloudflare:workers';
import { createNewsRepository } from '../../src/areas/feeds/news.repository.ts';
import { createCapturesRepository } from '../../src/areas/rotations/captures.repository.ts';
import { createDelvesRepository } from '../../src/areas/rotations/delves.repository.ts';
import { encodeCursor } from '../../src/platform/http/pagination.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';

/** 2026-03-10 15:00 UTC, as the examples of the document have it. */
const EXAMPLE_INSTANT = 1_773_154_800;
/** Tuesday 2026-03-10 11:00 UTC. */
const EXAMPLE_WEEK = 1_773_140_400;
/** The week of the document's examples. */
const EXAMPLE_DELVE_WEEK = 19;

/** Cursors of lists that know their items by number: the first one stored. */
export const SEEDED_CURSORS = { news: encodeCursor(1) };

const ARTICLE = {
  url: 'https://news.example/1',
  title: 'Patch notes',
  author: 'The team',
  summary: 'What is new.',
  category: 'news',
  categories: ['news'],
  image: null,
  publishedAt: EXAMPLE_INSTANT,
};

/** Stores what the examples of the document speak of, so that they answer with something. */
export async function seedStorage(): Promise<void> {
  const db = createDatabase(env.DB);
  const captures = createCapturesRepository(db);
  await captures.saveChaosChest({ weekAnchorAt: EXAMPLE_WEEK, name: 'Emberforged Dragon Egg', capturedAt: EXAMPLE_INSTANT });
  await captures.saveChallenge({
    windowAnchorAt: EXAMPLE_INSTANT,
    name: 'RAMPAGE ALERT!',
    isFridayWindow: false,
    capturedAt: EXAMPLE_INSTANT,
  });
  await createDelvesRepository(db).save(EXAMPLE_DELVE_WEEK, { total: 120, depths: [{ depth: 110 }, { depth: 111 }] }, EXAMPLE_INSTANT);
  await createNewsRepository(db).save([ARTICLE]);
}
