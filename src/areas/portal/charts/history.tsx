import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area.ts';
import { Instant } from '../../../platform/http/pages/instant.tsx';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { StripChart } from './charts.tsx';

export type History = Awaited<ReturnType<Ports['gameStatusHistory']>>;

export const SERVER_TITLES = { eu: 'Europe', us: 'America', pts: 'Test server' } as const;
const STATUSES = ['online', 'maintenance', 'down', 'unknown'] as const;

/** Start of a history shorter than a day; null for a longer or missing history. */
export function beganAt({ segments, window_end: end }: Pick<History, 'segments' | 'window_end'>): UnixSeconds | null {
  const [first] = segments;
  return first && end - first.started_at < SECONDS_PER_DAY ? first.started_at : null;
}

const countOf = (outages: number) => (outages === 1 ? '1 outage' : `${outages} outages`);

/** The history of one environment. A history shorter than a day is shown from its start, because it would be invisible in the full window. */
const HistoryStrip: FC<{ history: History }> = ({ history }) => {
  const { env, uptime, days, outages, segments, window_start: start, window_end: end } = history;
  const since = beganAt(history);
  const share = uptime === null ? '' : `${(uptime * 100).toFixed(2)} % online`;
  const span = since === null ? `in ${days === 1 ? '1 day' : `${days} days`}` : 'since the first probe';
  return (
    <StripChart
      id={`server-${env}`}
      title={SERVER_TITLES[env]}
      said={uptime === null ? 'no history yet' : `${share} ${span}, ${countOf(outages.length)}`}
      shown={
        since === null ? undefined : (
          <>
            {share} since <Instant at={since} clockOnly />, {countOf(outages.length)}
          </>
        )
      }
      segments={segments.map(({ status, started_at: from, ended_at: to }) => ({ status, from, to: to ?? end }))}
      from={since ?? start}
      to={end}
    />
  );
};

/** The histories of all environments with a legend, or a notice without data. */
export const Histories: FC<{ histories: readonly History[] }> = ({ histories }) => (
  <>
    {histories.map((history) => (
      <HistoryStrip history={history} />
    ))}
    {histories.every(({ uptime }) => uptime === null) ? (
      <p class="hint">The servers are probed about once a minute; the first result shows here.</p>
    ) : (
      <HistoryLegend />
    )}
  </>
);

const HistoryLegend: FC = () => (
  <p class="hint legend">
    {STATUSES.map((status) => (
      <>
        <span class={`key ${status}`}>{status === 'unknown' ? 'not known' : status}</span>{' '}
      </>
    ))}
  </p>
);
