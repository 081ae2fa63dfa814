import type { Child, FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { formatCount, LineChart, SmallMultiples } from '../../../platform/http/pages/charts.tsx';
import { Choices, Instant } from '../../../platform/http/pages/parts.tsx';
import type { OpenPage } from '../layout/layout.page.tsx';

type Series = Ports['activitySeries'];
type Players = Awaited<ReturnType<Series['players']>>;
type Classes = Awaited<ReturnType<Series['classes']>>;

const PERIOD_TITLES: Readonly<Record<string, string>> = {
  '1d': '1 day',
  '7d': '7 days',
  '1m': '1 month',
  '3m': '3 months',
  '6m': '6 months',
  '1y': '1 year',
  all: 'All',
};

const Total: FC<{ label: string; value: number | null; note?: Child }> = ({ label, value, note }) => (
  <p class="card">
    <span class="hint">{label}</span>
    <b>{formatCount(value)}</b>
    {note === undefined ? null : <span class="hint">{note}</span>}
  </p>
);

const extremeNote = (extreme: { t: number } | null) => (extreme === null ? undefined : <Instant at={extreme.t} />);

/** Points are averages of their time; the last one is the newest value, as on the card and the front page. */
function pointsOf({ points, lows, latest }: Players) {
  return points.map(({ t, active, peak }, index) => ({
    at: t,
    value: index === points.length - 1 && latest !== null ? latest : active,
    low: lows[index] ?? null,
    high: peak,
  }));
}

/** `/activity`: player counts over time and by class. */
export function activityPage(periods: readonly string[], players: Players, classes: Classes): OpenPage {
  const { period } = players;
  const window = { from: players.window_start, to: players.window_end };
  const main = (
    <div class="figures">
      <h1>Player activity</h1>
      <p class="lead">Estimated number of players who were active within 24 hours, based on the leaderboards.</p>
      <Choices
        label="Period"
        choices={periods.map((name) => ({
          href: `/activity?period=${name}`,
          title: PERIOD_TITLES[name] ?? name,
          isCurrent: name === period,
        }))}
      />
      <div class="totals">
        <Total label="Active within 24 hours" value={players.latest} />
        <Total label="Average" value={players.average} />
        <Total label="Highest" value={players.peak?.active ?? null} note={extremeNote(players.peak)} />
        <Total label="Lowest" value={players.low?.active ?? null} note={extremeNote(players.low)} />
      </div>
      <LineChart
        id="players"
        title="Players active within 24 hours"
        unit="players"
        points={pointsOf(players)}
        {...window}
        band="lowest to highest estimate"
      />
      <SmallMultiples
        id="classes"
        title="Players active within 24 hours, by class"
        unit="players"
        series={classes.classes.map(({ name, values }) => ({
          name,
          points: classes.buckets.map((bucket, index) => ({ at: bucket, value: values[index] ?? null })),
        }))}
        from={classes.window_start}
        to={classes.window_end}
      />
      <details>
        <summary>Methodology</summary>
        <p>{players.methodology}</p>
        <p>{classes.methodology}</p>
      </details>
      <p class="links">
        <a href={`/v1/activity/series?period=${period}`}>JSON</a>
        <a href={`/v1/class-activity/series?period=${period}`}>JSON by class</a>
      </p>
    </div>
  );
  return { title: 'Player activity', description: 'Number of active players over time and by class.', section: '/activity', main };
}
