import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { Instant } from '../../../platform/http/pages/instant.tsx';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { StripChart } from './charts.tsx';

export type History = Awaited<ReturnType<Ports['gameStatusHistory']>>;

export const SERVER_TITLES = { eu: 'Europe', us: 'America', pts: 'Test server' } as const;
const STATUSES = ['online', 'maintenance', 'down', 'unknown'] as const;

/** Start of a history that is shorter than a day; null for a longer or empty history. */
export function shortHistoryStart({ segments, window_end: end }: Pick<History, 'segments' | 'window_end'>): UnixSeconds | null {
  const [first] = segments;
  return first && end - first.started_at < SECONDS_PER_DAY ? first.started_at : null;
}

const outageCountText = (outages: number) => (outages === 1 ? '1 outage' : `${outages} outages`);

/** The history of one environment. The window of a history shorter than a day starts with its first probe, so that it is visible. */
const HistoryStrip: FC<{ history: History }> = ({ history }) => {
  const { env, uptime, days, outages, segments, window_start: start, window_end: end } = history;
  const since = shortHistoryStart(history);
  const uptimeText = uptime === null ? '' : `${(uptime * 100).toFixed(2)} % online`;
  const spanText = since === null ? `in ${days === 1 ? '1 day' : `${days} days`}` : 'since the first probe';
  return (
    <StripChart
      id={`server-${env}`}
      title={SERVER_TITLES[env]}
      description={uptime === null ? 'no history yet' : `${uptimeText} ${spanText}, ${outageCountText(outages.length)}`}
      caption={
        since === null ? undefined : (
          <>
            {uptimeText} since <Instant at={since} clockOnly />, {outageCountText(outages.length)}
          </>
        )
      }
      segments={segments.map(({ status, started_at: from, duration_seconds: duration }) => ({ status, from, to: from + duration }))}
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
      <p class="hint">No data yet. The servers are probed about once a minute.</p>
    ) : (
      <HistoryLegend />
    )}
  </>
);

const HistoryLegend: FC = () => (
  <p class="hint legend">
    {STATUSES.map((status) => (
      <>
        <span class={`key ${status}`}>{status}</span>{' '}
      </>
    ))}
  </p>
);
