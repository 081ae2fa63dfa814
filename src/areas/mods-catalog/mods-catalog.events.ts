import type { z } from '@hono/zod-openapi';
import { truncateText } from '../../platform/events/chat-values.ts';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { MOD_RELEASE } from './records/mod-release-event.domain.ts';
import type { ModReleaseEventBody } from './records/mod-release-event.schemas.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    mod_release: z.infer<typeof ModReleaseEventBody>;
  }
}

/** Maximum length of the changelog in a chat message, in characters. */
const MAX_CHANGELOG_LENGTH = 1000;

/** A published release of a mod. */
export const modReleaseEvent: EventDeclaration<typeof MOD_RELEASE> = {
  type: MOD_RELEASE,
  row: 14,
  label: 'Mod release',
  summary: 'A mod was released',
  hint: 'a release in the mods catalog',
  feature: 'featureModsHubEnabled',
  isDiscrete: true,
  conditions: [
    {
      name: 'author',
      label: 'Mod is by an author',
      valueLabel: 'Author',
      sentence: (values) => `a mod of ${values} is released`,
      seen: (values) => `the last release was by ${values}`,
    },
    {
      name: 'tag',
      label: 'Mod has a tag',
      valueLabel: 'Tag',
      sentence: (values) => `a mod with the tag ${values} is released`,
      seen: (values) => `the last release had the tags ${values}`,
    },
  ],
  sample: (now) => ({
    project: { slug: 'tiny-wings', title: 'Tiny Wings', owner: 'ana' },
    release: {
      id: '0f8fad5b-d9cb-469f-a165-70867728950e',
      tag: '1.2.0',
      title: 'Feathers and fixes',
      branch: 'main',
      format: 'tmod',
      size: 130,
      changelog: '- New feathers\n- Wings no longer clip through hats',
      published_at: toIso(now),
    },
    previous: null,
    change: {
      kind: 'initial',
      is_first_release: true,
      from_tag: null,
      to_tag: '1.2.0',
      size_delta: null,
      days_since_previous: null,
      release_count: 1,
      artifact_unchanged: false,
    },
    image_url: null,
    download_url: 'https://api.example.com/v1/mods/ana/tiny-wings/releases/0f8fad5b-d9cb-469f-a165-70867728950e/download',
    page_url: 'https://example.com/mods/ana/tiny-wings',
    announced: true,
  }),
  chat: {
    position: 2,
    text: {
      title: '{project_title}: {release_title}',
      url: '{page_url}',
      description: '{changelog}',
      color: '#46D39A',
      fields: [
        ['Tag', '{tag}'],
        ['Branch', '{branch}'],
        ['Format', '{format_upper}'],
        ['Download', '[Download]({download_url})'],
      ],
      footer: 'by {owner}',
    },
    keyOf: ({ release: { id } }) => `mod_release:${id}`,
    variablesOf: ({ project, release, announced, download_url: downloadUrl, page_url: pageUrl }) =>
      announced
        ? {
            project_title: project.title || project.slug,
            project_slug: project.slug,
            owner: project.owner || 'unknown',
            tag: release.tag,
            release_title: release.title || release.tag,
            branch: release.branch,
            format: release.format,
            format_upper: release.format.toUpperCase(),
            changelog: truncateText(release.changelog, MAX_CHANGELOG_LENGTH),
            download_url: downloadUrl,
            page_url: pageUrl,
          }
        : null,
  },
};
