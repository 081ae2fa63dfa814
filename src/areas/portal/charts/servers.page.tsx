import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { ChartTable, type Segment, StripChart } from '../../../platform/http/pages/charts.tsx';
import { Choices, Instant } from '../../../platform/http/pages/parts.tsx';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { COPY_SCRIPT, Embed } from '../layout/embeds.page.tsx';
import type { OpenPage } from '../layout/layout.page.tsx';

export type History = Awaited<ReturnType<Ports['gameStatusHistory']>>;

export const SERVER_TITLES = { eu: 'Europe', us: 'America', pts: 'Test server' } as const;
const STATUSES = ['online', 'maintenance', 'down', 'unknown'] as const;

/** The segments of the whole window: time without a probe is unknown. */
function wholeWindow({ segments, window_start: start, window_end: end }: Pick<History, 'segments' | 'window_start' | 'window_end'>) {
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

/** Rows of the card: one per environment. */
const CARD_ROWS = Object.keys(SERVER_TITLES).length;

/** Available windows in days. */
export const SERVER_WINDOWS = [1, 7, 30, 90] as const;

function durationText(seconds: number): string {
  const hours = Math.floor(seconds / SECONDS_PER_HOUR);
  const minutes = Math.floor((seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}

/** `/servers`: the history of the game servers. */
export function serversPage(days: number, histories: readonly History[], baseUrl: string): OpenPage {
  const outages = histories.flatMap(({ env, outages: serverOutages, window_end: end }) =>
    serverOutages.map((outage) => ({ ...outage, env, ended: outage.ended_at ?? end })),
  );
  outages.sort((one, other) => other.started_at - one.started_at);
  const main = (
    <div class="figures">
      <h1>Game servers</h1>
      <p class="lead">Status history of the game servers, which are probed about once a minute.</p>
      <Choices
        label="Window"
        choices={SERVER_WINDOWS.map((window) => ({
          href: `/servers?days=${window}`,
          title: window === 1 ? '1 day' : `${window} days`,
          isCurrent: window === days,
        }))}
      />
      <section class="card" aria-label="History">
        <Histories histories={histories} />
        <ChartTable
          label="Outages, newest first"
          head={['Server', 'Status', 'From', 'To', 'Duration']}
          rows={outages.map(({ env, status, started_at: from, ended_at: to, ended }) => [
            SERVER_TITLES[env],
            status,
            <Instant at={from} />,
            to === null ? 'now' : <Instant at={to} />,
            durationText(ended - from),
          ])}
        />
      </section>
      <Embed
        id="embed"
        rows={CARD_ROWS}
        alt="Status of the game servers"
        badge="/v1/misc/badge/game-status.svg"
        card="/v1/misc/card/game-status.svg"
        page="/servers"
        baseUrl={baseUrl}
      />
      <p class="links">
        {histories.map(({ env }) => (
          <a href={`/v1/misc/game-status/history?env=${env}&days=${days}`}>JSON ({SERVER_TITLES[env]})</a>
        ))}
      </p>
    </div>
  );
  return {
    title: 'Game servers',
    description: 'Status of the game servers over the last days, with every outage.',
    section: '/servers',
    script: COPY_SCRIPT,
    main,
  };
}
