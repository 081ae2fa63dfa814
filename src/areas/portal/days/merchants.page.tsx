import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { Countdown, DataTable, Instant } from '../../../platform/http/pages/parts.tsx';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { Embed } from '../layout/embeds.page.tsx';
import type { OpenPage } from '../layout/layout.page.tsx';

type Pages = Ports['rotationPages'];
type Visit = ReturnType<Pages['visits']>['corruxion'][number];
type Luxion = Awaited<ReturnType<Pages['luxion']>>;

/** Script of pages with countdowns and copy buttons. */
export const COUNTDOWN_SCRIPT = 'countdowns.js';
/** Rows of the card of a merchant. */
const CARD_ROWS = 4;

const ABOUT = {
  corruxion: 'Sells rare items for Fluxes and Moonglow. Comes every other Friday and stays for three days.',
  fluxion: 'Players vote for an item in one week; the winner is sold in the next. Comes every Tuesday and stays for three days.',
} as const;

/** Links that add a calendar: one that calendar apps open, and the file, for devices without such an app. */
const CalendarLinks: FC<{ type: string; title: string; baseUrl: string }> = ({ type, title, baseUrl }) => {
  const path = `/v1/rotations/calendar.ics?types=${type}`;
  return (
    <p class="links">
      <a class="button" href={`webcal://${new URL(baseUrl).host}${path}`}>
        Add {title} to your calendar
      </a>
      <a href={path}>Calendar file (.ics)</a>
    </p>
  );
};

const StateText: FC<{ visit: Visit; now: UnixSeconds }> = ({ visit: { starts_at: startsAt, ends_at: endsAt, state }, now }) =>
  startsAt <= now ? (
    <p class="state-line good">
      <b>Here{state === undefined ? '' : `, ${state}`}</b>, leaves <Countdown until={endsAt} /> (<Instant at={endsAt} />)
    </p>
  ) : (
    <p class="state-line">
      <b>Away</b>, comes <Countdown until={startsAt} /> (<Instant at={startsAt} />)
    </p>
  );

const Merchant: FC<{ name: keyof typeof ABOUT; title: string; visits: readonly Visit[]; now: UnixSeconds; baseUrl: string }> = ({
  name,
  title,
  visits,
  now,
  baseUrl,
}) => {
  const hasStates = visits.some(({ state }) => state !== undefined);
  return (
    <section id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      {visits[0] === undefined ? null : <StateText visit={visits[0]} now={now} />}
      <p class="hint">{ABOUT[name]}</p>
      {/* Two local times are wider than a phone: beside each other they would wrap, and move the page once the script writes them. */}
      <DataTable
        label={`Next visits of ${title}`}
        isLong
        head={['From', 'Until', ...(hasStates ? ['State'] : [])]}
        rows={visits.map(({ starts_at: startsAt, ends_at: endsAt, state }) => [
          <Instant at={startsAt} />,
          <Instant at={endsAt} />,
          ...(hasStates ? [state ?? ''] : []),
        ])}
      />
      <CalendarLinks type={name} title={title} baseUrl={baseUrl} />
      <Embed
        id={`${name}-embed`}
        rows={CARD_ROWS}
        alt={`Next visits of ${title}`}
        badge={`/v1/rotations/badge/${name}.svg`}
        card={`/v1/rotations/card/${name}.svg`}
        page="/merchants"
        baseUrl={baseUrl}
      />
    </section>
  );
};

const LuxionSection: FC<{ luxion: Luxion; baseUrl: string }> = ({
  luxion: { active, run, currentWindow, nextWindow, schedule },
  baseUrl,
}) => (
  <section id="luxion" aria-labelledby="luxion-title">
    <h2 id="luxion-title">Luxion</h2>
    {active && run !== null ? (
      <>
        <p class="state-line good">
          {currentWindow === null ? (
            <>
              <b>Here, closed</b>
              {nextWindow === null ? null : (
                <>
                  , opens <Countdown until={nextWindow.starts_at} /> (<Instant at={nextWindow.starts_at} />)
                </>
              )}
            </>
          ) : (
            <>
              <b>Open</b>, closes <Countdown until={currentWindow.ends_at} /> (<Instant at={currentWindow.ends_at} />)
            </>
          )}
        </p>
        <DataTable
          label="Opening times of Luxion"
          isLong
          head={['Opens', 'Closes']}
          rows={schedule.map(({ starts_at: startsAt, ends_at: endsAt }) => [<Instant at={startsAt} />, <Instant at={endsAt} />])}
        />
      </>
    ) : (
      <p class="state-line">
        <b>Away</b>
        {run === null ? (
          '.'
        ) : (
          <>
            , last here until <Instant at={run.ends_at} />.
          </>
        )}
      </p>
    )}
    <p class="hint">The visits of Luxion follow no schedule: players report them. They come about every four weeks.</p>
    <CalendarLinks type="luxion" title="Luxion" baseUrl={baseUrl} />
  </section>
);

interface MerchantFacts {
  visits: ReturnType<Pages['visits']>;
  luxion: Luxion;
  now: UnixSeconds;
  baseUrl: string;
}

/** `/merchants`. */
export function merchantsPage({ visits, luxion, now, baseUrl }: MerchantFacts): OpenPage {
  const main = (
    <div class="figures">
      <h1>Merchants</h1>
      <p class="lead">When the merchants are here, and when they return.</p>
      <Merchant name="corruxion" title="Corruxion" visits={visits.corruxion} now={now} baseUrl={baseUrl} />
      <Merchant name="fluxion" title="Fluxion" visits={visits.fluxion} now={now} baseUrl={baseUrl} />
      <LuxionSection luxion={luxion} baseUrl={baseUrl} />
      <p class="links">
        <a href="/today">Today in the game</a>
        <a href="/week">This week</a>
        <a href="/docs/recipes/calendar">Add a calendar: guide</a>
        <a href="/docs/reference/rotations">API reference</a>
      </p>
    </div>
  );
  return {
    title: 'Merchants',
    description: 'When Corruxion, Fluxion and Luxion come next, with countdowns and a calendar to subscribe to.',
    section: '/merchants',
    script: COUNTDOWN_SCRIPT,
    main,
  };
}
