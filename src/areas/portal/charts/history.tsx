import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { type Segment, StripChart } from '../../../platform/http/pages/charts.tsx';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

export type History = Awaited<ReturnType<Ports['gameStatusHistory']>>;

export const SERVER_TITLES = { eu: 'Europe', us: 'America', pts: 'Test server' } as const;
const STATUSES = ['online', 'maintenance', 'down', 'unknown'] as const;

/** The segments of the whole window: time without a probe is unknown. */
export function wholeWindow({ segments, window_start: start, window_end: end }: Pick<History, 'segments' | 'window_start' | 'window_end'>) {
  const whole: Segment[] = [];
  let known: UnixSeconds = start;
  for (const { status, started_at: from, duration_seconds: duration } of segments) {
    if (from > known) whole.push({ status: 'unknown', from: known, to: from });
    whole.push({ status, from, to: from + duration });
    known = from + duration;
  }
  if (known < end) whole.push({ status: 'unknown', from: known, to: end });
  return whole;
}

const outageCountText = (outages: number) => (outages === 1 ? '1 outage' : `${outages} outages`);

/** The history of one environment. */
const HistoryStrip: FC<{ history: History }> = ({ history }) => {
  const { env, uptime, days, outages, window_start: start, window_end: end } = history;
  const spanText = `of the known time in ${days === 1 ? '1 day' : `${days} days`}`;
  return (
    <StripChart
      id={`server-${env}`}
      title={SERVER_TITLES[env]}
      description={
        uptime === null ? 'no history yet' : `${(uptime * 100).toFixed(2)} % online ${spanText}, ${outageCountText(outages.length)}`
      }
      segments={wholeWindow(history)}
      from={start}
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
