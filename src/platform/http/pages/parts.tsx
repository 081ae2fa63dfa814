import type { Child, FC } from 'hono/jsx';
import { toIso, type UnixSeconds } from '../../kit/time/clock.ts';

/** A time in UTC: `2026-11-22 19:07 UTC`, or `19:07 UTC` with `clockOnly`. */
export function utcText(at: UnixSeconds, clockOnly = false): string {
  const minute = toIso(at).slice(0, 16).replace('T', ' ');
  return `${clockOnly ? minute.slice(11) : minute} UTC`;
}

interface InstantProps {
  at: UnixSeconds;
  clockOnly?: boolean;
  dayOnly?: boolean;
  /** Adds how long ago or how far away the time is. */
  isRelative?: boolean;
}

/** A time in UTC. The script `times.js` of every page converts it to the time zone of the visitor and adds UTC as the tooltip. */
export const Instant: FC<InstantProps> = ({ at, clockOnly = false, dayOnly = false, isRelative = false }) => (
  <time datetime={toIso(at)} data-local={clockOnly ? 'clock' : dayOnly ? 'day' : 'minute'} data-relative={isRelative ? '' : undefined}>
    {dayOnly ? toIso(at).slice(0, 'YYYY-MM-DD'.length) : utcText(at, clockOnly)}
  </time>
);

/** Time left until an instant, which `countdowns.js` keeps current; nothing without a script. */
export const Countdown: FC<{ until: UnixSeconds }> = ({ until }) => <span class="left" data-until={until} />;

/** A whole day in UTC, which no time zone changes: `2026-11-22`. */
export const UtcDay: FC<{ at: UnixSeconds }> = ({ at }) => {
  const day = toIso(at).slice(0, 'YYYY-MM-DD'.length);
  return <time datetime={day}>{day}</time>;
};

interface DataTableProps {
  /** Name of the table for screen readers. */
  label: string;
  head: readonly string[];
  /** Cells of each row; the first is the heading of the row. */
  rows: readonly (readonly Child[])[];
  /** Whether all columns but the first have numbers. */
  isNumeric?: boolean;
  /** Whether a cell has long texts, for which a phone has no room beside others. */
  isLong?: boolean;
}

/** Maximum number of columns that a phone shows side by side: of numbers, and of texts, whose words are longer. */
const MAX_NARROW_NUMBERS = 4;
const MAX_NARROW_TEXTS = 3;

/**
 * A table that scrolls on narrow screens. It is focusable for scrolling with the keyboard. On phones each row of a table with many columns or
 * long texts is a card with the column title next to each value.
 */
export const DataTable: FC<DataTableProps> = ({ label, head, rows, isNumeric = false, isLong = false }) => {
  const numeric = isNumeric ? 'number' : undefined;
  const isStacked = isLong || head.length > (isNumeric ? MAX_NARROW_NUMBERS : MAX_NARROW_TEXTS);
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table class={isStacked ? 'stack' : undefined}>
        <thead>
          <tr>
            {head.map((title, index) => (
              <th scope="col" class={index === 0 ? undefined : numeric}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((cell, index) => (
                <td class={numeric} data-label={isStacked ? head[index + 1] : undefined}>
                  {/* One box beside the title of the column. */}
                  {isStacked ? <div>{cell}</div> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Links to the same page with other values of a query parameter. */
export const Choices: FC<{ label: string; choices: readonly { href: string; title: string; isCurrent: boolean }[] }> = ({
  label,
  choices,
}) => (
  <nav class="choices-bar" aria-label={label}>
    {choices.map(({ href, title, isCurrent }) => (
      <a class="button" href={href} aria-current={isCurrent ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
