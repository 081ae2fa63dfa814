import { floorDiv, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, type UnixSeconds } from '../../../platform/time/clock.ts';
import type { WebhookEvent } from '../webhook-events.data.ts';
import type { TemplateVariables } from './template.domain.ts';

const CHALLENGE_SECONDS = 20 * SECONDS_PER_MINUTE;

/** Sample variables of an event for previews and tests. */
export function sampleVariables(event: WebhookEvent, now: UnixSeconds): TemplateVariables {
  if (event === 'challenge') return challenge(floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR);
  if (event === 'luxion') return luxion(floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR);
  return event === 'mod_release' ? MOD_RELEASE : GAME_UPDATE;
}

function challenge(startsAt: UnixSeconds): TemplateVariables {
  return {
    name: 'RAMPAGE ALERT!',
    type: 'rampage',
    type_label: 'Rampage',
    starts_at: startsAt,
    ends_at: startsAt + CHALLENGE_SECONDS,
    status: 'live',
    is_friday: false,
  };
}

function luxion(opensAt: UnixSeconds): TemplateVariables {
  return {
    state: 'Day 1',
    status: 'open',
    starts_at: opensAt - 11 * SECONDS_PER_HOUR,
    ends_at: opensAt + 165 * SECONDS_PER_HOUR,
    opens_at: opensAt,
    closes_at: opensAt + 3 * SECONDS_PER_HOUR,
  };
}

const MOD_RELEASE: TemplateVariables = {
  project_title: 'Tiny Wings',
  project_slug: 'tiny-wings',
  owner: 'ana',
  tag: '1.2.0',
  release_title: 'Feathers and fixes',
  branch: 'main',
  format: 'tmod',
  format_upper: 'TMOD',
  changelog: '- New feathers\n- Wings no longer clip through hats',
  download_url: 'https://api.example.com/v1/mods/ana/tiny-wings/releases/0f8fad5b-d9cb-469f-a165-70867728950e/download',
  page_url: 'https://example.com/mods/ana/tiny-wings',
};

const GAME_UPDATE: TemplateVariables = {
  version_tag: 'LIVE-103-3325-A-336166',
  ordinal: 412,
  branch: 'live-us',
  files_added: '1,207',
  files_modified: '388',
  files_removed: '15',
};
