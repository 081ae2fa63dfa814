import { archiveStories } from './archive.ts';
import { authorStories } from './authors.ts';
import { boardStories } from './boards.ts';
import { buildStories } from './builds.ts';
import { codexStories } from './codexes.ts';
import { communityStories } from './community.ts';
import { exampleStories } from './examples.ts';
import { marketStories } from './market.ts';
import { moderationStories } from './moderation.ts';
import { newcomerStories } from './newcomers.ts';
import { programStories } from './programs.ts';
import { rotationStories } from './rotations.ts';
import { searchStories } from './search.ts';
import { streamStories } from './stream.ts';
import { taskStories } from './tasks.ts';
import type { Story } from './user.ts';
import { webhookStories } from './webhooks.ts';

/** User journeys, run against `npm start`. */
export const STORIES: readonly Story[] = [
  ...exampleStories,
  ...rotationStories,
  ...buildStories,
  ...marketStories,
  ...archiveStories,
  ...codexStories,
  ...boardStories,
  ...programStories,
  ...authorStories,
  ...communityStories,
  ...searchStories,
  ...streamStories,
  ...webhookStories,
  ...newcomerStories,
  ...taskStories,
  ...moderationStories,
];
