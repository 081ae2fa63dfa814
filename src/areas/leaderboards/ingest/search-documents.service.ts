import type { SearchDocument, SearchIndex, SearchSource } from '../../../platform/area/search-source.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { boardTitle, titleCase } from '../boards/boards.domain.ts';
import type { BoardsStore } from '../boards/boards.store.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { CapturesStore } from '../captures/captures.store.ts';
import type { PlayerRows } from '../captures/player-rows.service.ts';
import { readBlocks, shardOf } from '../captures/player-shards.domain.ts';
import { MAX_NEWER_CAPTURES } from '../players/totals.service.ts';
import type { TotalsStore } from '../players/totals.store.ts';

const access = { scope: 'leaderboards:read', isPublic: false, feature: 'featureLeaderboardsEnabled' } as const;

/** Boards whose names decide the version. The game has a few hundred. */
const MAX_BOARDS = 2000;
/** Digits of a key: the order of keys is that of uuids. */
const KEY_DIGITS = 12;

/** Boards and players. */
export function createLeaderboardSearchSources(boards: Pick<BoardsStore, 'listNamesAfter'>): SearchSource[] {
  const documentsAfter = async (key: string, limit: number) =>
    (await boards.listNamesAfter(key === '' ? -1 : Number(key), limit)).map(({ uuid, name, category }): SearchDocument => {
      const padded = String(uuid).padStart(KEY_DIGITS, '0');
      return {
        key: padded,
        name: boardTitle({ uuid, name }),
        about: titleCase(category),
        text: '',
        link: `/leaderboards/${uuid}`,
        image: null,
      };
    });
  return [
    { type: 'player', ...access },
    {
      type: 'board',
      ...access,
      contents: {
        version: async () => digestOf(JSON.stringify(await documentsAfter('', MAX_BOARDS))),
        list: documentsAfter,
      },
    },
  ];
}

interface PlayerAnnouncerDeps {
  captures: Pick<CapturesStore, 'find'>;
  objects: Pick<CaptureObjects, 'players'>;
  index: SearchIndex;
  /** Former names by the key of the later name. */
  formerNames(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Announces the players and boards of a capture to the search, one shard of players at a time. */
export function createPlayerAnnouncer({
  captures,
  objects,
  index,
  formerNames,
}: PlayerAnnouncerDeps): (anchor: UnixSeconds) => Promise<void> {
  return async (anchor) => {
    const capture = await captures.find(anchor);
    if (!capture) return;
    const former = await formerNames();
    for (let shard = 0; shard < capture.playerShards; shard += 1) {
      const text = (await objects.players([capture], shard)).get(anchor);
      if (text !== undefined) await index.put('player', playersIn(text, former));
    }
    await index.changed('board');
  };
}

/** Checks the documents of players after a key. Stored in the queue. */
export interface PlayerDocumentsTask {
  after: string;
}

interface PlayerCheckDeps {
  captures: Pick<CapturesStore, 'list'>;
  totals: TotalsStore;
  rows: PlayerRows;
  index: SearchIndex;
  formerNames(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Documents that a step checks. It reads each shard of the totals at most once. */
const CHECKED_DOCUMENTS = 2000;

/**
 * Compares the documents of players with the totals: removes players whose captures were all deleted or corrected, and restores spellings
 * and former names that an older capture has changed. Returns the remaining task, or null when it is done.
 */
export function createPlayerDocumentCheck({ captures, totals, rows, index, formerNames }: PlayerCheckDeps) {
  return async ({ after }: PlayerDocumentsTask): Promise<PlayerDocumentsTask | null> => {
    const listed = await index.list('player', after, CHECKED_DOCUMENTS);
    const former = await formerNames();
    const newest = await captures.list({ limit: MAX_NEWER_CAPTURES });
    const found: SearchDocument[] = [];
    const gone: string[] = [];
    for (const [shard, documents] of Map.groupBy(listed, ({ key }) => shardOf(key, totals.shards))) {
      const { until, text } = await totals.readShard('current', shard);
      const newer = newest.filter(({ anchor }) => anchor > until);
      // The totals are too old to tell which players are gone.
      if (newer.length === MAX_NEWER_CAPTURES) continue;
      const spellings = new Map([...readBlocks(text)].map(({ key, name }) => [key, name]));
      for (const { key, name } of documents) {
        const counted = spellings.get(key);
        const [latest] = counted === name ? [] : await rows.at(key, newer);
        const spelling = latest?.rows[0]?.playerName ?? counted;
        if (spelling === undefined) gone.push(key);
        else found.push(playerDocument(key, spelling, former));
      }
    }
    await index.put('player', found);
    await index.remove('player', gone);
    const last = listed.at(-1);
    return last && listed.length === CHECKED_DOCUMENTS ? { after: last.key } : null;
  };
}

/** The players in the text of a shard; of several spellings the first, as in the totals. A player is found by former names too. */
function playersIn(text: string, former: ReadonlyMap<string, readonly string[]>): SearchDocument[] {
  const names = new Map<string, string>();
  for (const { key, name } of readBlocks(text)) if (!names.has(key)) names.set(key, name);
  return [...names].map(([key, name]) => playerDocument(key, name, former));
}

function playerDocument(key: string, name: string, former: ReadonlyMap<string, readonly string[]>): SearchDocument {
  return {
    key,
    name,
    about: aboutOf(former.get(key)),
    text: (former.get(key) ?? []).join('\n'),
    image: null,
    link: `/players?name=${encodeURIComponent(name.toWellFormed())}`,
  };
}

const aboutOf = (former: readonly string[] | undefined) => (former ? `formerly ${former.join(', ')}` : '');
