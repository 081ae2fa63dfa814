import type { z } from '@hono/zod-openapi';
import { formatCount } from '../../platform/events/chat-values.ts';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { GameUpdateBody } from './versions.schemas.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    game_update: z.infer<typeof GameUpdateBody>;
  }
}

/** A new version of the game. */
export const gameUpdateEvent: EventDeclaration<'game_update'> = {
  type: 'game_update',
  row: 13,
  label: 'Game update',
  summary: 'The game was updated',
  hint: 'a new game version, when its files are archived',
  feature: 'featureUpdatesEnabled',
  sample: (now) => ({
    version: {
      branch: 'live-us',
      ordinal: 412,
      version_tag: 'LIVE-103-3325-A-336166',
      captured_at: toIso(now),
      completed_at: toIso(now),
      files_added: 1207,
      files_modified: 388,
      files_removed: 15,
      bytes_added: 1_482_113,
    },
  }),
  chat: {
    position: 3,
    text: {
      title: '{version_tag}',
      color: '#5EC6FF',
      fields: [
        ['Files added', '{files_added}'],
        ['Files modified', '{files_modified}'],
        ['Files removed', '{files_removed}'],
      ],
    },
    keyOf: ({ version: { branch, ordinal } }) => `game_update:${branch}:${ordinal}`,
    variablesOf: ({ version }) => ({
      version_tag: version.version_tag,
      ordinal: version.ordinal,
      branch: version.branch,
      files_added: formatCount(version.files_added),
      files_modified: formatCount(version.files_modified),
      files_removed: formatCount(version.files_removed),
    }),
  },
};
