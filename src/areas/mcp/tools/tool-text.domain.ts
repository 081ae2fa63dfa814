import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ToolOutput } from './tool.domain.ts';

/** Maximum length of the text of a result, without its links. */
export const MAX_TEXT_CHARACTERS = 6000;

/** Text of a result: the lines, truncated to `MAX_TEXT_CHARACTERS`, then the links. */
export function outputText({ lines, links }: Pick<ToolOutput, 'lines' | 'links'>, baseUrl: string): string {
  const text = lines.join('\n');
  const cut =
    text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}\n(truncated; follow the links for the rest)` : text;
  const linkLines = Object.entries(links).map(([name, url]) => `${name}: ${url.startsWith('/') ? baseUrl + url : url}`);
  return [cut, '', ...linkLines].join('\n');
}

/** A time as `2026-03-10 15:30 UTC`. */
export function instantText(at: UnixSeconds): string {
  return `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A duration in its two largest units, such as `2 d 3 h`. */
export function durationText(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(wholeSeconds / SECONDS_PER_DAY), 'd'],
    [Math.floor((wholeSeconds % SECONDS_PER_DAY) / 3600), 'h'],
    [Math.floor((wholeSeconds % 3600) / 60), 'min'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return 'less than a minute';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** Start and end of a time span, relative to `now`. */
export function spanText(startsAt: UnixSeconds, endsAt: UnixSeconds, now: UnixSeconds): string {
  if (now < startsAt) return `starts ${instantText(startsAt)} (in ${durationText(startsAt - now)}), ends ${instantText(endsAt)}`;
  if (now < endsAt) return `on now, ends ${instantText(endsAt)} (in ${durationText(endsAt - now)})`;
  return `ended ${instantText(endsAt)}`;
}

/** A number with at most two decimals and thousands separators. */
export function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** The text on one line, truncated to `maxLength`. */
export function shortText(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
