import type { Child, FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { Countdown, DataTable, Instant } from '../../../platform/http/pages/parts.tsx';
import { SECONDS_PER_DAY, SECONDS_PER_WEEK, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { OpenPage } from '../layout/layout.page.tsx';
import { COUNTDOWN_SCRIPT } from './merchants.page.tsx';
import type { Article } from './news.service.ts';

type Pages = Ports['rotationPages'];
type Day = ReturnType<Pages['day']>;
type Rotation = Day['stampy'][number];

const dateOf = (at: UnixSeconds) => toIso(at).slice(0, 'YYYY-MM-DD'.length);
const weekdayOf = (at: UnixSeconds) => new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(at * 1000);
const dateText = (at: UnixSeconds) =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at * 1000);
const namesOf = ({ biomes }: Rotation) => [...new Set(biomes.map((biome) => biome.final_name))].join(', ');

const Facts: FC<{ rows: readonly (readonly [title: string, value: Child])[] }> = ({ rows }) => (
  <dl class="day-facts">
    {rows.map(([title, value]) => (
      <div>
        <dt>{title}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const List: FC<{ items: readonly string[] }> = ({ items }) => (
  <ul>
    {items.map((item) => (
      <li>{item}</li>
    ))}
  </ul>
);

/** `Here until …` for the windows of a merchant; absent while the merchant is away all day. */
const visitRows = (day: Day): [string, Child][] =>
  (['corruxion', 'fluxion'] as const).map((name) => {
    const [visit] = day[name];
    const title = name === 'corruxion' ? 'Corruxion' : 'Fluxion';
    if (visit === undefined) return [title, 'Away'];
    return [
      title,
      <>
        {visit.state === undefined ? 'Here' : `Here, ${visit.state}`}, <Instant at={visit.starts_at} /> to <Instant at={visit.ends_at} />
      </>,
    ];
  });

interface TodayFacts {
  day: Day;
  biomes: readonly Rotation[];
  challenges: readonly { name: string; startsAt: UnixSeconds; endsAt: UnixSeconds }[];
  articles: readonly Article[];
  now: UnixSeconds;
  /** Whether the day is the one that contains `now`. */
  isToday: boolean;
}

/** The biomes of a day, in their order. */
const Biomes: FC<Pick<TodayFacts, 'biomes' | 'now'>> = ({ biomes, now }) => (
  <>
    <h2 id="biomes">Biomes</h2>
    <DataTable
      label="Biomes of the day"
      head={['From', 'Biomes']}
      rows={biomes.map((rotation) => [
        <>
          <Instant at={rotation.starts_at} clockOnly />
          {rotation.starts_at <= now && now < rotation.ends_at ? <b> now</b> : null}
        </>,
        namesOf(rotation),
      ])}
    />
  </>
);

/** The newest challenges. */
const Challenges: FC<Pick<TodayFacts, 'challenges' | 'now'>> = ({ challenges, now }) => (
  <>
    <h2 id="challenges">Challenges</h2>
    {challenges.length === 0 ? (
      <p class="hint">No challenge was reported yet.</p>
    ) : (
      <DataTable
        label="Newest challenges"
        head={['From', 'Challenge']}
        rows={challenges.map(({ name, startsAt, endsAt }) => [
          <>
            <Instant at={startsAt} />
            {startsAt <= now && now < endsAt ? <b> now</b> : null}
          </>,
          name,
        ])}
      />
    )}
  </>
);

/** The newest articles. */
const News: FC<Pick<TodayFacts, 'articles'>> = ({ articles }) => (
  <>
    <h2 id="news">News</h2>
    {articles.length === 0 ? (
      <p class="hint">No news yet.</p>
    ) : (
      <ul>
        {articles.map(({ title, url, published_at: published }) => (
          <li>
            <a href={url} rel="noopener">
              {title}
            </a>
            {published === null ? null : (
              <span class="hint">
                {' '}
                <Instant at={Date.parse(published) / 1000} dayOnly />
              </span>
            )}
          </li>
        ))}
      </ul>
    )}
  </>
);

/** `/today`: a game day. */
export function todayPage({ day, biomes, challenges, articles, now, isToday }: TodayFacts): OpenPage {
  const heading = `${isToday ? 'Today: ' : ''}${weekdayOf(day.starts_at)}, ${dateText(day.starts_at)}`;
  const main = (
    <div class="figures day">
      <h1>{heading}</h1>
      <p class="lead">
        The game day from <Instant at={day.starts_at} /> to <Instant at={day.ends_at} />.
        {isToday ? (
          <>
            {' '}
            Next reset <Countdown until={day.ends_at} />.
          </>
        ) : null}
      </p>
      <h2 id="bonus">{day.daily.name}</h2>
      <div class="columns-two">
        <div>
          <h3>For everyone</h3>
          <List items={day.daily.normal_buffs} />
        </div>
        <div>
          <h3>With Patron</h3>
          <List items={day.daily.premium_buffs} />
        </div>
      </div>
      <Facts
        rows={[
          ['Weekly bonus', <a href="/week">{day.weekly.name}</a>],
          ...visitRows(day),
          ['Wild mana', day.wildMana.map(namesOf).join('; ')],
          ['Stampy', day.stampy.length === 0 ? 'Away' : day.stampy.map(namesOf).join('; ')],
          ['Harvest', day.plants.length === 0 ? 'Nothing' : day.plants.join(', ')],
        ]}
      />
      <Biomes biomes={biomes} now={now} />
      {isToday ? (
        <>
          <Challenges challenges={challenges} now={now} />
          <News articles={articles} />
        </>
      ) : null}
      <p class="links">
        <a href={`/today?day=${dateOf(day.starts_at - SECONDS_PER_DAY)}`}>Day before</a>
        {isToday ? null : <a href="/today">Today</a>}
        <a href={`/today?day=${dateOf(day.ends_at)}`}>Day after</a>
        <a href="/week">This week</a>
        <a href="/merchants">Merchants</a>
      </p>
    </div>
  );
  return {
    title: isToday ? 'Today in the game' : `${weekdayOf(day.starts_at)}, ${dateText(day.starts_at)}`,
    description: 'The bonus of the day, biomes, merchants, challenges and news, with the next reset.',
    section: '/today',
    script: COUNTDOWN_SCRIPT,
    main,
  };
}

interface WeekFacts {
  /** Seven days. */
  days: readonly Day[];
  /** Newest first. */
  chests: readonly { name: string; startsAt: UnixSeconds }[];
  now: UnixSeconds;
}

/** `/week`: a game week, for the screen and for paper. */
export function weekPage({ days, chests, now }: WeekFacts): OpenPage {
  const [first] = days;
  if (first === undefined) throw new RangeError('a week has days');
  const endsAt = first.starts_at + SECONDS_PER_WEEK;
  const isNow = first.starts_at <= now && now < endsAt;
  const stampy = days.flatMap((day) => day.stampy.map(namesOf));
  const main = (
    <div class="figures day">
      <h1>
        {isNow ? 'This week: ' : ''}
        {dateText(first.starts_at)} to {dateText(endsAt - SECONDS_PER_DAY)}
      </h1>
      <p class="lead">
        The game week from <Instant at={first.starts_at} /> to <Instant at={endsAt} />.
        {isNow ? (
          <>
            {' '}
            Next weekly reset <Countdown until={endsAt} />.
          </>
        ) : null}
      </p>
      <h2 id="bonus">{first.weekly.name}</h2>
      <List items={first.weekly.buffs} />
      <Facts
        rows={[
          ['Wild mana', <span id="wild-mana">{first.wildMana.map(namesOf).join('; ')}</span>],
          ['Stampy', <span id="stampy">{[...new Set(stampy)].join('; ') || 'Away'}</span>],
        ]}
      />
      <DataTable
        label="Days of the week"
        head={['Day', 'Bonus', 'Merchants', 'Harvest']}
        rows={days.map((day) => [
          <a href={`/today?day=${dateOf(day.starts_at)}`} aria-current={day.starts_at <= now && now < day.ends_at ? 'date' : undefined}>
            {weekdayOf(day.starts_at)}
          </a>,
          day.daily.name,
          [...(day.corruxion.length > 0 ? ['Corruxion'] : []), ...day.fluxion.map(({ state }) => `Fluxion (${state})`)].join(', ') || '–',
          day.plants.join(', ') || '–',
        ])}
      />
      <h2 id="chaos-chest">Chaos chest</h2>
      {chests.length === 0 ? (
        <p class="hint">No item was reported yet.</p>
      ) : (
        <DataTable
          label="Items of the chaos chest"
          head={['Week from', 'Item']}
          rows={chests.map(({ name, startsAt }) => [<Instant at={startsAt} dayOnly />, name])}
        />
      )}
      <p class="links">
        <a href={`/week?day=${dateOf(first.starts_at - SECONDS_PER_WEEK)}`}>Week before</a>
        {isNow ? null : <a href="/week">This week</a>}
        <a href={`/week?day=${dateOf(endsAt)}`}>Week after</a>
        <a href="/today">Today</a>
        <a href="/merchants">Merchants</a>
      </p>
    </div>
  );
  return {
    title: isNow ? 'This week in the game' : `Week of ${dateText(first.starts_at)}`,
    description: 'The weekly bonus, the bonus of each day, merchants, harvest and the chaos chest, on one page to print.',
    section: '/week',
    script: COUNTDOWN_SCRIPT,
    main,
  };
}
