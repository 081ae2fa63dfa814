import type { Child, FC } from 'hono/jsx';
import { ChartTable, LineChart } from '../../platform/http/pages/charts.tsx';
import { Instant } from '../../platform/http/pages/parts.tsx';
import { PreviewTags } from '../../platform/http/pages/preview-tags.tsx';
import { type Site, SiteFooter, SiteHead, SiteHeader } from '../../platform/http/pages/site-header.tsx';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Announcement } from './announcements.domain.ts';
import { GROWTH_DAYS, HISTORY_DAYS, LATENCY_SECONDS, LATENCY_STEP_SECONDS, PARTS, TIMED_PARTS, USER_PARTS } from './status.data.ts';
import {
  type Check,
  type DayCounts,
  dayOf,
  incidentId,
  incidentTitle,
  latencyStepOf,
  PART_NAMES,
  type PartName,
  type State,
  type TimedPart,
  type View,
} from './status.domain.ts';

const HEADLINES: Readonly<Record<View['status'], string>> = {
  green: 'All systems operational',
  degraded: 'Degraded: the service works with limitations',
  red: 'Outage: a part of the service is down',
};
/** Of a service that has just started, or whose checks cannot be read. For programs it counts as an outage. */
const UNCHECKED = 'Not known yet';
const headlineOf = ({ status, checkedAt }: View) => (checkedAt === null ? UNCHECKED : HEADLINES[status]);
const STATE_NAMES: Readonly<Record<State, string>> = { green: 'Operational', degraded: 'Degraded', red: 'Outage', unknown: 'Unknown' };
const ABOUT = 'State of every part of the service now and over the last 90 days, with its incidents.';
/** Width of a bar, distance of bars, and height, in SVG units. */
const BAR_WIDTH = 4;
const DAY_WIDTH = 5;
const BAR_HEIGHT = 28;

const SHOWN_PARTS = Object.keys(USER_PARTS) as (keyof typeof USER_PARTS)[];
const INTERNAL_PARTS = PART_NAMES.filter((name) => !(name in USER_PARTS));

interface DayState {
  date: string;
  state: State | 'none';
  text: string;
}

/** `/status`. Complete without scripts; a script shows the values of plots. */
export function statusPage(
  { appName, isDemo, baseUrl }: Site & { baseUrl: string },
  view: View,
  announcements: readonly Announcement[],
  now: UnixSeconds,
): string {
  const days = lastDays(view, now);
  const preview = { title: 'Service status', description: ABOUT, url: `${baseUrl}/status`, image: `${baseUrl}/og/status.png` };
  return `<!doctype html>${String(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${headlineOf(view)} · ${appName}`}</title>
        <meta name="description" content={ABOUT} />
        <PreviewTags appName={appName} {...preview} />
        <SiteHead />
        <link rel="stylesheet" href="/ui/status.css" />
        <link rel="alternate" type="application/atom+xml" title="Incidents" href="/status.atom" />
      </head>
      <body>
        <SiteHeader appName={appName} isDemo={isDemo} path="/status" />
        <main id="main" tabindex={-1}>
          <div class="page-head">
            <h1>Service status</h1>
            <p class="hint">
              <a href="/status.atom">Feed of incidents</a> · <a href="/v1/status">JSON</a> · <a href="/servers">Game servers</a>
            </p>
          </div>
          <p class={`overall ${view.checkedAt === null ? 'unknown' : view.status}`}>
            <strong>{headlineOf(view)}</strong>
            <span>{checkedText(view, now)}</span>
          </p>
          <Announcements announcements={announcements} now={now} />
          <section aria-labelledby="parts">
            <h2 id="parts">Last {HISTORY_DAYS} days</h2>
            <ul class="parts">
              {SHOWN_PARTS.map((name) => (
                <Part name={name} title={USER_PARTS[name]} check={view.parts[name]} days={days.map((day) => dayState(day, name))} />
              ))}
            </ul>
            <details open={INTERNAL_PARTS.some((name) => view.parts[name].state !== 'green')}>
              <summary>Internal parts ({INTERNAL_PARTS.length})</summary>
              <ul class="parts">
                {INTERNAL_PARTS.map((name) => (
                  <Part name={name} title={PARTS[name]} check={view.parts[name]} days={days.map((day) => dayState(day, name))} />
                ))}
              </ul>
            </details>
            <DayTable days={days} />
          </section>
          <ResponseTimes view={view} now={now} />
          <DatabaseSize view={view} />
          <Incidents view={view} />
          <WorkTables view={view} />
        </main>
        <SiteFooter appName={appName} />
      </body>
    </html>,
  )}`;
}

const Badge: FC<{ state: State }> = ({ state }) => <span class={`badge ${state}`}>{STATE_NAMES[state]}</span>;

const Part: FC<{ name: PartName; title: string; check: Check; days: readonly DayState[] }> = ({ name, title, check, days }) => {
  const incidentDays = days.filter(({ state }) => state === 'red' || state === 'degraded').length;
  const missingDays = days.filter(({ state }) => state === 'none').length;
  const label = `${title}: ${incidentDays} of ${HISTORY_DAYS} days with incidents, ${missingDays} without data`;
  return (
    <li data-plot>
      <div class="row">
        <h3 title={PARTS[name]}>{title}</h3>
        <Badge state={check.state} />
      </div>
      {check.detail === null ? null : <p class="detail">{check.detail}</p>}
      <div class="chart-area">
        <svg
          viewBox={`0 0 ${HISTORY_DAYS * DAY_WIDTH} ${BAR_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          data-bars={DAY_WIDTH}
        >
          {days.map(({ date, state, text }, index) => (
            <rect class={state} x={String(index * DAY_WIDTH)} y="0" width={String(BAR_WIDTH)} height={String(BAR_HEIGHT)}>
              <title>{`${date}: ${text}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <output class="hint" />
    </li>
  );
};

/** The bars as a table, newest day first. */
const DayTable: FC<{ days: readonly Day[] }> = ({ days }) => (
  <details>
    <summary>Last {HISTORY_DAYS} days as a table</summary>
    <Scroll label="Table of days">
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {PART_NAMES.map((name) => (
              <th scope="col">{PARTS[name]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr>
              <th scope="row">{day.date}</th>
              {PART_NAMES.map((name) => {
                const { state, text } = dayState(day, name);
                return (
                  <td class={state} data-label={PARTS[name]}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </details>
);

const GIGABYTE = 1_000_000_000;
/** Decimal units, in which the platform states its limits. */
const formatSize = (bytes: number) =>
  bytes < GIGABYTE ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Number((bytes / GIGABYTE).toFixed(1))} GB`;

/** Size and growth of the database. */
const DatabaseSize: FC<{ view: View }> = ({ view: { database } }) => (
  <section aria-labelledby="database-size">
    <h2 id="database-size">Size of the database</h2>
    {database === null ? (
      <p>No data.</p>
    ) : (
      <p>
        {formatSize(database.bytes)} of {formatSize(database.limitBytes)}
        {database.bytesPerDay === null ? '.' : `, ${formatSize(database.bytesPerDay)} more a day in the last ${GROWTH_DAYS} days.`}{' '}
        {database.fullAt !== null && (
          <>
            At this growth the limit is reached on <Instant at={database.fullAt} />.
          </>
        )}
      </p>
    )}
  </section>
);

const MIN_PLOT_SECONDS = SECONDS_PER_HOUR;
const TIMED_NAMES = Object.keys(TIMED_PARTS) as TimedPart[];
const formatMs = (value: number | null) => (value === null ? '—' : `${value} ms`);

/** The response times of the checks over the last day. The page folds all but the first part. */
const ResponseTimes: FC<{ view: View; now: UnixSeconds }> = ({ view: { latency }, now }) => {
  const to = latencyStepOf(now);
  // The plot of a new service starts with its first check.
  const dayStart = to - LATENCY_SECONDS + LATENCY_STEP_SECONDS;
  const from = Math.min(Math.max(dayStart, latency[0]?.at ?? dayStart), to - MIN_PLOT_SECONDS);
  const stepByTime = new Map(latency.map(({ at, slowestMs }) => [at, slowestMs]));
  const times = Array.from({ length: (to - from) / LATENCY_STEP_SECONDS + 1 }, (_, index) => from + index * LATENCY_STEP_SECONDS);
  const plot = (part: TimedPart) => {
    const points = times.map((at) => ({ at, value: stepByTime.get(at)?.[part] ?? null }));
    const title = TIMED_PARTS[part];
    return (
      <LineChart id={`latency-${part}`} title={title} unit="" points={points} from={from} to={to} format={formatMs} hasTable={false} />
    );
  };
  const [first, ...others] = TIMED_NAMES;
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">Response times</h2>
      {latency.length === 0 || first === undefined ? (
        <p>No data.</p>
      ) : (
        <>
          <p class="hint">
            Slowest check of each {LATENCY_STEP_SECONDS / 60} minutes in the last 24 hours, in milliseconds. A gap: no check, or no
            response.
          </p>
          {plot(first)}
          <details>
            <summary>Other parts ({others.length})</summary>
            {others.map(plot)}
          </details>
          <ChartTable
            label="Response times"
            head={['Time', ...TIMED_NAMES.map((name) => TIMED_PARTS[name])]}
            rows={latency
              .toReversed()
              .map(({ at, slowestMs }) => [<Instant at={at} />, ...TIMED_NAMES.map((name) => formatMs(slowestMs[name] ?? null))])}
          />
        </>
      )}
    </section>
  );
};

/** Open announcements first; closed ones as the history. */
const Announcements: FC<{ announcements: readonly Announcement[]; now: UnixSeconds }> = ({ announcements, now }) => {
  const open = announcements.filter(({ closedAt }) => closedAt === null);
  const closed = announcements.filter(({ closedAt }) => closedAt !== null);
  if (announcements.length === 0) return null;
  return (
    <section aria-labelledby="announcements">
      <h2 id="announcements">Announcements</h2>
      {open.map((announcement) => (
        <AnnouncementText announcement={announcement} now={now} />
      ))}
      {closed.length === 0 ? null : (
        <details>
          <summary>Earlier announcements ({closed.length})</summary>
          {closed.map((announcement) => (
            <AnnouncementText announcement={announcement} now={now} />
          ))}
        </details>
      )}
    </section>
  );
};

const AnnouncementText: FC<{ announcement: Announcement; now: UnixSeconds }> = ({ announcement, now }) => {
  const { id, title, severity, parts, startsAt, endsAt, closedAt, updates } = announcement;
  return (
    <article id={`announcement-${id}`} class={`announcement ${closedAt === null ? severity : 'over'}`}>
      <h3>{title}</h3>
      <p class="hint">
        {severity}
        {parts.map((part) => (Object.hasOwn(PARTS, part) ? ` · ${PARTS[part as PartName]}` : ''))}
        {startsAt > now ? ' · planned for ' : ' · since '}
        <Instant at={startsAt} />
        {endsAt === null ? null : (
          <>
            , planned end <Instant at={endsAt} />
          </>
        )}
        {closedAt === null ? null : (
          <>
            , over since <Instant at={closedAt} />
          </>
        )}
      </p>
      <ul>
        {updates.map(({ at, text }) => (
          <li>
            <Instant at={at} />: {text}
          </li>
        ))}
      </ul>
    </article>
  );
};

const Incidents: FC<{ view: View }> = ({ view: { incidents } }) => (
  <section aria-labelledby="incidents">
    <h2 id="incidents">Incidents</h2>
    {incidents.length === 0 ? (
      <p>None in the last {HISTORY_DAYS} days.</p>
    ) : (
      <ol class="incidents">
        {incidents.map((incident) => (
          <li id={incidentId(incident)} class={incident.closedAt === null ? incident.state : 'over'}>
            <strong>{incidentTitle(incident)}</strong>
            <span>
              <Instant at={incident.openedAt} />
              {incident.closedAt === null ? ', ongoing' : ` for ${duration(incident.closedAt - incident.openedAt)}`}
            </span>
            {incident.detail === null ? null : <span class="detail">{incident.detail}</span>}
          </li>
        ))}
      </ol>
    )}
  </section>
);

const hasFailure = (items: readonly { state: State }[]) => items.some(({ state }) => state === 'red' || state === 'degraded');

/** `31 jobs, all operational`, or the number of those that are not. */
function countText(items: readonly { state: State }[], noun: string): string {
  const failing = items.filter(({ state }) => state !== 'green').length;
  return `${items.length} ${noun}${items.length === 1 ? '' : 's'}, ${failing === 0 ? 'all operational' : `${failing} not operational`}`;
}

const WorkTables: FC<{ view: View }> = ({ view: { jobs, upstreams } }) => (
  <>
    <Work
      id="upstreams"
      title="External services"
      noun="service"
      label="Table of external services"
      columns={['Service', 'Next try']}
      rows={upstreams.map(({ nextTryAt, ...row }) => ({ ...row, nextAt: nextTryAt }))}
    />
    <Work
      id="jobs"
      title="Background jobs"
      noun="job"
      label="Table of background jobs"
      columns={['Job', 'Next run']}
      rows={jobs.map(({ nextRunAt, ...row }) => ({ ...row, nextAt: nextRunAt }))}
    />
  </>
);

/** A row of a table of services or jobs. */
interface WorkRow {
  name: string;
  state: State;
  lastSuccessAt: UnixSeconds | null;
  failures: number;
  nextAt: UnixSeconds | null;
}

/** Services or jobs in a table, which is open while one of them fails. `noun` is singular; `columns` are the first and the last. */
const Work: FC<{ id: string; title: string; noun: string; label: string; columns: [string, string]; rows: readonly WorkRow[] }> = ({
  id,
  title,
  noun,
  label,
  columns: [first, last],
  rows,
}) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {rows.length === 0 ? (
      <p>No data.</p>
    ) : (
      <details open={hasFailure(rows)}>
        <summary>{countText(rows, noun)}</summary>
        <Scroll label={label}>
          <table class="stack">
            <thead>
              <tr>
                {[first, 'State', 'Last success', 'Failures', last].map((column) => (
                  <th scope="col">{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, state, lastSuccessAt, failures, nextAt }) => (
                <tr>
                  <th scope="row">{name}</th>
                  <td data-label="State">
                    <Badge state={state} />
                  </td>
                  <td data-label="Last success">
                    <Time at={lastSuccessAt} />
                  </td>
                  <td data-label="Failures">{failures}</td>
                  <td data-label={last}>
                    <Time at={nextAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    )}
  </section>
);

/** Focusable for keyboard scrolling. */
const Scroll: FC<{ label: string; children?: Child }> = ({ label, children }) => (
  <section class="scroll" tabindex={0} aria-label={label}>
    {children}
  </section>
);

const Time: FC<{ at: UnixSeconds | null }> = ({ at }) => (at === null ? <>–</> : <Instant at={at} />);

function checkedText({ checkedAt, source }: View, now: UnixSeconds): string {
  if (checkedAt === null) return 'No check available.';
  const age = duration(Math.max(0, now - checkedAt));
  return `Last check ${age} ago. Checks run once a minute.${source === 'copy' ? ' Read from the KV copy.' : ''}`;
}

interface Day {
  date: string;
  counts: DayCounts | undefined;
  /** The current checks; only of today. */
  now?: View['parts'];
}

/** Every day of the period, oldest first, including days without a check. */
function lastDays({ days, parts }: Pick<View, 'days' | 'parts'>, now: UnixSeconds): Day[] {
  const countsByDay = new Map(days.map((counts) => [counts.day, counts]));
  const today = dayOf(now);
  return Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const day = today - (HISTORY_DAYS - 1 - index) * SECONDS_PER_DAY;
    return { date: toIso(day).slice(0, 10), counts: countsByDay.get(day), ...(day === today ? { now: parts } : {}) };
  });
}

/** The state of a part on a day. The bar of today agrees with the row, also before the check of this minute is counted. */
function dayState(day: Day, part: PartName): DayState {
  const { date, now } = day;
  const counted = countedState(day, part);
  const state = now?.[part].state;
  const isWorse = (state === 'red' && counted.state !== 'red') || (state === 'degraded' && !['red', 'degraded'].includes(counted.state));
  if (isWorse && state !== undefined) return { date, state, text: `${STATE_NAMES[state].toLowerCase()} now` };
  return counted.state === 'none' && state === 'green' ? { date, state, text: 'operational' } : counted;
}

function countedState({ date, counts }: Day, part: PartName): DayState {
  if (!counts) return { date, state: 'none', text: 'no data' };
  const red = counts.red[part] ?? 0;
  const degraded = counts.degraded[part] ?? 0;
  if (counts.checked + red + degraded === 0) return { date, state: 'none', text: 'no data' };
  const parts = [...(red > 0 ? [`${duration(red * 60)} outage`] : []), ...(degraded > 0 ? [`${duration(degraded * 60)} degraded`] : [])];
  return { date, state: red > 0 ? 'red' : degraded > 0 ? 'degraded' : 'green', text: parts.join(', ') || 'operational' };
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
