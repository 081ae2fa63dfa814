import type { WebhookEvent } from '../webhook-events.data.ts';
import type { Template } from './template.domain.ts';

const blank: Template = {
  enabled: false,
  content: '',
  title: '',
  url: '',
  description: '',
  color: '',
  fields: [],
  footer: '',
  show_image: true,
  image_design_id: null,
  image_url: '',
};

const inline = (name: string, value: string) => ({ name, value, inline: true });

/** Templates of events for which the account has none. */
export const DEFAULT_TEMPLATES: Readonly<Record<WebhookEvent, Template>> = {
  challenge: {
    ...blank,
    title: '{name}',
    color: '#F2A33C',
    fields: [inline('Type', '{type_label}'), inline('Ends', '{ends_at:R}')],
  },
  mod_release: {
    ...blank,
    title: '{project_title}: {release_title}',
    url: '{page_url}',
    description: '{changelog}',
    color: '#46D39A',
    fields: [
      inline('Tag', '{tag}'),
      inline('Branch', '{branch}'),
      inline('Format', '{format_upper}'),
      inline('Download', '[Download]({download_url})'),
    ],
    footer: 'by {owner}',
  },
  game_update: {
    ...blank,
    title: '{version_tag}',
    color: '#5EC6FF',
    fields: [
      inline('Files added', '{files_added}'),
      inline('Files modified', '{files_modified}'),
      inline('Files removed', '{files_removed}'),
    ],
  },
  luxion: {
    ...blank,
    title: 'Luxion: {state}',
    color: '#B48CF2',
    fields: [inline('Opens', '{opens_at:R}'), inline('Closes', '{closes_at:R}')],
  },
};

/** Message of a test without an event. */
export const CONNECTED_TEMPLATE: Template = {
  ...blank,
  title: 'Connected',
  description: 'This webhook works. Its events will be posted here.',
  color: '#5EC6FF',
};
