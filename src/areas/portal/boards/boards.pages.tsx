import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { formatCount, RankCharts } from '../../../platform/http/pages/charts.tsx';
import { Choices, DataTable, Instant } from '../../../platform/http/pages/parts.tsx';
import { MAX_CARD_ROWS } from '../../../platform/kit/images/embedded-images.domain.ts';
import { COPY_SCRIPT, Embed, urlPart } from '../layout/embeds.page.tsx';
import type { OpenPage } from '../layout/layout.page.tsx';
import { MoreForAccounts } from '../layout/layout.page.tsx';

type BoardPages = Ports['boardPages'];
type BoardFigures = Awaited<ReturnType<BoardPages['board']>>;
type Gains = BoardFigures['gains'];
type Player = Awaited<ReturnType<BoardPages['player']>>;
type RankHistory = Awaited<ReturnType<BoardPages['boardHistory']>>;
type PlayerHistory = Awaited<ReturnType<BoardPages['playerHistory']>>;

/** Script of the pages of players: remembers one, and has the copy buttons. */
const PLAYER_SCRIPT = 'my-player.js';

const gainFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const boardUrl = (uuid: number) => `/leaderboards/${uuid}`;
const playerUrl = (name: string) => `/players?name=${urlPart(name)}`;

/** A place on a board: the name of a player links to the player; clubs have no page. */
const Placed: FC<{ place: number; name: string; isPlayer: boolean }> = ({ place, name, isPlayer }) =>
  isPlayer ? <a href={playerUrl(name)}>{`${place}. ${name}`}</a> : <span>{`${place}. ${name}`}</span>;

const PlayerForm: FC<{ name?: string }> = ({ name = '' }) => (
  // A script offers names while the visitor types.
  <form action="/players" method="get" class="row codex-search" data-search-types="player">
    <div class="field">
      <label for="player">Player</label>
      <input name="name" id="player" value={name} required maxlength={200} autocomplete="off" />
    </div>
    <button type="submit">Show</button>
  </form>
);

/** `/leaderboards`. */
export function boardsPage(boards: Awaited<ReturnType<BoardPages['list']>>): OpenPage {
  const categories = [...Map.groupBy(boards, ({ category }) => category)];
  const main = (
    <div class="figures">
      <h1>Leaderboards</h1>
      <p class="lead">Every board of the newest capture with its leader. The page of a board has its first places and the largest gains.</p>
      <PlayerForm />
      {categories.length === 0 ? <p class="hint">No capture yet.</p> : null}
      {categories.map(([category, listed]) => (
        <section>
          <h2>{category || 'Other boards'}</h2>
          <DataTable
            label={`Boards: ${category}`}
            head={['Board', 'Leader', 'Score']}
            rows={listed.map(({ uuid, name, leader, isPlayerBoard }) => [
              <a href={boardUrl(uuid)}>{name}</a>,
              leader === null ? '–' : isPlayerBoard ? <a href={playerUrl(leader.name)}>{leader.name}</a> : leader.name,
              leader?.score ?? '',
            ])}
          />
        </section>
      ))}
    </div>
  );
  return { title: 'Leaderboards', description: 'Leaderboards of the game with their leaders.', section: '/leaderboards', main };
}

const windowText = (days: number) => (days === 1 ? '1 day' : `${days} days`);

const GainsSection: FC<{ gains: Gains; isPlayerBoard: boolean; choices: readonly number[]; path: string }> = ({
  gains,
  isPlayerBoard,
  choices,
  path,
}) => (
  <section aria-labelledby="gains-title">
    <h2 id="gains-title">Largest gains</h2>
    <Choices
      label="Period"
      choices={choices.map((days) => ({
        href: `${path}?days=${days}`,
        title: windowText(days),
        isCurrent: days === gains.days,
      }))}
    />
    {!gains.comparable || gains.window_start === null || gains.window_end === null ? (
      <p class="hint">
        {gains.reason === 'crossed_reset' ? 'The board was reset in this period.' : 'The board has one capture so far; gains need two.'}
      </p>
    ) : (
      <>
        <p class="hint">
          {gains.reset_at === null ? 'From ' : 'Since the reset, '}
          <Instant at={gains.window_start} /> to <Instant at={gains.window_end} />. {isPlayerBoard ? 'Players' : 'Clubs'} with a gain:{' '}
          {formatCount(gains.total)}.
        </p>
        {gains.items.length === 0 ? (
          <p class="hint">Nobody gained in this period.</p>
        ) : (
          <DataTable
            label={`${isPlayerBoard ? 'Players' : 'Clubs'} with the largest gains`}
            isNumeric
            head={[isPlayerBoard ? 'Player' : 'Club', 'Gain', 'Rank']}
            rows={gains.items.map(({ place, player_name: name, gain, rank }) => [
              <Placed place={place} name={name} isPlayer={isPlayerBoard} />,
              gainFormat.format(gain),
              formatCount(rank),
            ])}
          />
        )}
      </>
    )}
  </section>
);

/** `/leaderboards/{uuid}`. */
export function boardPage(
  { uuid, name, category, anchor, isPlayerBoard, rows, gains }: BoardFigures,
  gainDays: readonly number[],
  baseUrl: string,
  history: RankHistory | null,
): OpenPage {
  const api = `/v1/leaderboards/${uuid}`;
  const main = (
    <div class="figures">
      <h1>{name}</h1>
      <p class="lead">
        {category === '' ? 'As' : `${category}, as`} of <Instant at={anchor} />.
      </p>
      {history === null ? null : (
        <RankCharts
          id="ranks"
          title="Ranks of the first ten, one week"
          {...history}
          lines={history.lines.map((line) => (isPlayerBoard ? { ...line, href: playerUrl(line.name) } : line))}
        />
      )}
      <h2>{history === null ? 'First ten' : 'First hundred'}</h2>
      <DataTable
        label="First places"
        isNumeric
        head={[isPlayerBoard ? 'Player' : 'Club', 'Score']}
        rows={rows.map(({ rank, playerName, scoreText }) => [
          <Placed place={rank} name={playerName} isPlayer={isPlayerBoard} />,
          scoreText,
        ])}
      />
      {history === null ? <MoreForAccounts path={boardUrl(uuid)} label="the first hundred, with the ranks over a week" /> : null}
      <GainsSection gains={gains} isPlayerBoard={isPlayerBoard} choices={gainDays} path={boardUrl(uuid)} />
      <Embed
        id="embed"
        rows={Math.min(rows.length, MAX_CARD_ROWS)}
        alt={`${name}: first five of the leaderboard`}
        badge={`${api}/badge.svg`}
        card={`${api}/card.svg`}
        page={boardUrl(uuid)}
        baseUrl={baseUrl}
      />
      <p class="links">
        <a href="/leaderboards">All boards</a>
        <a href="/docs/reference/leaderboards">Complete data: API reference</a>
      </p>
    </div>
  );
  return { title: name, description: `The top of ${name}, and who gained most.`, section: '/leaderboards', script: COPY_SCRIPT, main };
}

const SIGIL_PIXELS = 88;

/** The sigil of a player, which links to its image for other sites. */
const Sigil: FC<{ sigil: NonNullable<Player['sigil']> }> = ({ sigil }) => {
  const image = `/v1/stats/sigil?power_rank=${sigil.powerRank}&mastery=${sigil.mastery}`;
  return (
    <p>
      <a href={`${image}&scale=2`}>
        <img src={image} alt="Sigil" width={SIGIL_PIXELS} height={SIGIL_PIXELS} />
      </a>{' '}
      Power Rank <a href={boardUrl(sigil.powerRankBoard)}>{formatCount(sigil.powerRank)}</a>, {sigil.powerRankClass}. Mastery{' '}
      {formatCount(sigil.mastery)}: {formatCount(sigil.mainMastery)} and Geode Mastery {formatCount(sigil.geodeMastery)}.
    </p>
  );
};

const CLASS_BOARDS = ['Power Rank', 'Effort', 'Paragon'];

const Classes: FC<{ classes: Player['classes'] }> = ({ classes }) => (
  <DataTable
    label="Classes"
    isNumeric
    head={['Class', ...CLASS_BOARDS]}
    rows={classes.map(({ name, boards }) => [
      name,
      ...CLASS_BOARDS.map((title) => {
        const board = boards.find((listed) => listed.title === title);
        return board ? <a href={boardUrl(board.uuid)}>{board.score}</a> : '';
      }),
    ])}
  />
);

/** `/players` with a part of a name: the players whose names have it, most similar first. */
export function playerChoicePage(text: string, names: readonly string[]): OpenPage {
  const main = (
    <div class="figures">
      <h1>Players</h1>
      <PlayerForm name={text} />
      <p class="lead">No player has exactly this name. Names like it:</p>
      <ul class="columns">
        {names.map((name) => (
          <li>
            <a href={playerUrl(name)}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="links">
        <a href="/leaderboards">All boards with their leaders</a>
      </p>
    </div>
  );
  return { title: `Players: ${text}`, description: `Players whose names are like ${text}.`, section: '/players', main };
}

/** `/players` without a name. */
export function playersPage(): OpenPage {
  const main = (
    <div class="figures">
      <h1>Players</h1>
      <p class="lead">The best ranks of a player on all boards. A part of the name is enough.</p>
      <p id="my-player" class="device-choice" />
      <PlayerForm />
      <p class="links">
        <a href="/leaderboards">All boards with their leaders</a>
      </p>
    </div>
  );
  return {
    title: 'Players',
    description: 'Find a player by a part of the name, with the best rank on every board.',
    section: '/players',
    script: PLAYER_SCRIPT,
    main,
  };
}

/** `/players` with the name of a player. `isFull`: for a signed-in account. */
export function playerPage(player: Player, baseUrl: string, { lines, ...window }: PlayerHistory, isFull: boolean): OpenPage {
  const { name, boardCount, top10, top100, lastSeen, lastPlayed, sigil, classes, rows } = player;
  const best = rows.reduce<(typeof rows)[number] | null>(
    (known, row) => (known === null || row.bestRank < known.bestRank ? row : known),
    null,
  );
  const api = `/v1/leaderboards/players/${urlPart(name)}`;
  const main = (
    <div class="figures">
      <h1>{name}</h1>
      <p class="lead">
        On {formatCount(boardCount)} boards, {formatCount(top10)} times in the top 10 and {formatCount(top100)} times in the top 100. Last
        seen <Instant at={lastSeen} />.
        {lastPlayed === null ? null : (
          <>
            {' '}
            Last played <Instant at={lastPlayed} />.
          </>
        )}
      </p>
      <p id="my-player" class="device-choice" data-player={name} />
      {best === null ? null : (
        <p>
          Best rank ever: <strong>{formatCount(best.bestRank)}</strong> on <a href={boardUrl(best.uuid)}>{best.name}</a>.
        </p>
      )}
      {sigil === null ? null : <Sigil sigil={sigil} />}
      <RankCharts
        id="ranks"
        title={`Ranks on the best boards, one week${isFull ? ', every capture' : ''}`}
        lines={lines.map(({ uuid, ...line }) => ({ ...line, href: boardUrl(uuid) }))}
        {...window}
      />
      <DataTable
        label="Best boards"
        isNumeric
        head={['Board', 'Best rank', 'Latest rank', 'Score']}
        rows={rows.map(({ uuid, name: board, bestRank, latestRank, score }) => [
          <a href={boardUrl(uuid)}>{board}</a>,
          formatCount(bestRank),
          formatCount(latestRank),
          score,
        ])}
      />
      {classes.length === 0 ? null : <Classes classes={classes} />}
      {isFull ? null : <MoreForAccounts path={playerUrl(name)} label="every board, with the ranks of every capture" />}
      <Embed
        id="embed"
        rows={Math.min(rows.length + 1, MAX_CARD_ROWS)}
        alt={`${name} on the leaderboards`}
        badge={`${api}/badge.svg`}
        card={`${api}/card.svg`}
        page={playerUrl(name)}
        baseUrl={baseUrl}
      />
      <PlayerForm name={name} />
    </div>
  );
  return { title: name, description: `The best ranks of ${name} on the leaderboards.`, section: '/players', script: PLAYER_SCRIPT, main };
}
