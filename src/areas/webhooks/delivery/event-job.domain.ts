import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { integerOf, objectOf, textOf } from '../../../platform/values/json-values.ts';
import { truncateText } from '../templates/message.domain.ts';
import type { TemplateVariables } from '../templates/template.domain.ts';
import { MAX_CHANGELOG_LENGTH, type WebhookEvent } from '../webhook-events.data.ts';

/** An event to post, once per key. */
export interface EventJob {
  key: string;
  event: WebhookEvent;
  variables: TemplateVariables;
}

/** A message of the event stream. */
export interface StreamMessage {
  /** Number of the event in the stream. */
  id: number;
  type: string;
  /** Body of the message. */
  data: unknown;
  /** Time of the message. */
  at: UnixSeconds;
}

/**
 * Job of a stream message; null when chat webhooks do not receive it. The stream also reports a challenge without a name, and its end; the
 * name in the key makes each challenge one event.
 */
export function eventJobOf({ type, data, at }: Omit<StreamMessage, 'id'>): EventJob | null {
  if (type === 'challenge') return challengeJob(objectOf(data), at);
  if (type === 'mod_release') return modReleaseJob(objectOf(data));
  if (type === 'luxion') return luxionJob(objectOf(data));
  return type === 'game_update' ? gameUpdateJob(objectOf(objectOf(data).version)) : null;
}

function challengeJob(challenge: ReturnType<typeof objectOf>, at: UnixSeconds): EventJob | null {
  const startsAt = integerOf(challenge.starts_at);
  const endsAt = integerOf(challenge.ends_at);
  const name = textOf(challenge.name);
  if (startsAt === null || endsAt === null || name === null) return null;
  const type = textOf(challenge.type);
  return {
    key: `challenge:${startsAt}:${name}`,
    event: 'challenge',
    variables: {
      name,
      type,
      type_label: type && titleCase(type),
      starts_at: startsAt,
      ends_at: endsAt,
      status: at < startsAt ? 'upcoming' : at < endsAt ? 'live' : 'ended',
      is_friday: challenge.is_friday_window === true,
    },
  };
}

function modReleaseJob(data: ReturnType<typeof objectOf>): EventJob | null {
  const project = objectOf(data.project);
  const release = objectOf(data.release);
  const id = textOf(release.id);
  if (id === null) return null;
  const tag = textOf(release.tag);
  const format = textOf(release.format);
  return {
    key: `mod_release:${id}`,
    event: 'mod_release',
    variables: {
      project_title: textOf(project.title) ?? textOf(project.slug),
      project_slug: textOf(project.slug),
      owner: textOf(project.owner) ?? 'unknown',
      tag,
      release_title: textOf(release.title) ?? tag,
      branch: textOf(release.branch),
      format,
      format_upper: format?.toUpperCase() ?? null,
      changelog: truncateText(textOf(release.changelog) ?? '', MAX_CHANGELOG_LENGTH),
      download_url: textOf(data.download_url),
      page_url: textOf(data.page_url),
    },
  };
}

function gameUpdateJob(version: ReturnType<typeof objectOf>): EventJob | null {
  const branch = textOf(version.branch);
  const ordinal = integerOf(version.ordinal);
  if (branch === null || ordinal === null) return null;
  return {
    key: `game_update:${branch}:${ordinal}`,
    event: 'game_update',
    variables: {
      version_tag: textOf(version.version_tag),
      ordinal,
      branch,
      files_added: formatCount(integerOf(version.files_added)),
      files_modified: formatCount(integerOf(version.files_modified)),
      files_removed: formatCount(integerOf(version.files_removed)),
    },
  };
}

/** One event at the detection of a run and one per window. The window is the open one, otherwise the next one. */
function luxionJob(merchant: ReturnType<typeof objectOf>): EventJob | null {
  const startsAt = integerOf(merchant.starts_at);
  const isOpen = merchant.merchant_open === true;
  const window = objectOf(isOpen ? merchant.current_window : merchant.next_window);
  const opensAt = integerOf(window.starts_at);
  if (startsAt === null || opensAt === null) return null;
  const status = isOpen ? 'open' : 'closed';
  return {
    key: `luxion:${startsAt}:${opensAt}:${status}`,
    event: 'luxion',
    variables: {
      state: textOf(window.state),
      status,
      starts_at: startsAt,
      ends_at: integerOf(merchant.ends_at),
      opens_at: opensAt,
      closes_at: integerOf(window.ends_at),
    },
  };
}

/** `1234567` as `1,234,567`; null as `0`. */
function formatCount(count: number | null): string {
  return String(count ?? 0).replace(/\B(?=(\d{3})+$)/g, ',');
}

function titleCase(text: string): string {
  return text.replace(/[a-z]+/gi, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}
