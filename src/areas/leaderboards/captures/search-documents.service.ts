import type { SearchDocument, SearchIndex, SearchSource } from '../../../platform/area/search-source.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { BoardsStore } from '../boards/boards.store.ts';
import type { CaptureObjects } from './capture-objects.store.ts';
import type { CapturesStore } from './captures.store.ts';
import { readBlocks } from './player-shards.domain.ts';

const access = { scope: 'leaderboards:read', isPublic: false, feature: 'featureLeaderboardsEnabled' } as const;

/** Boards whose names decide the version. The game has a few hundred. */
const MAX_BOARDS = 2000;
/** Digits of a key: the order of keys is that of uuids. */
const KEY_DIGITS = 12;

/** Boards, and the players of every capture since the search exists. */
export function createLeaderboardSearchSources(boards: Pick<BoardsStore, 'listNamesAfter'>): SearchSource[] {
  const documentsAfter = async (key: string, limit: number) =>
    (await boards.listNamesAfter(key === '' ? -1 : Number(key), limit)).map(({ uuid, name, category }): SearchDocument => {
      const padded = String(uuid).padStart(KEY_DIGITS, '0');
      return { key: padded, name, about: category, text: '', link: `/leaderboards/${uuid}`, image: null };
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

/** The players in the text of a shard; of several spellings the last. A player is found by former names too. */
function playersIn(text: string, former: ReadonlyMap<string, readonly string[]>): SearchDocument[] {
  const names = new Map([...readBlocks(text)].map(({ key, name }) => [key, name]));
  return [...names].map(([key, name]) => ({
    key,
    name,
    about: aboutOf(former.get(key)),
    text: (former.get(key) ?? []).join('\n'),
    image: null,
    link: `/players?name=${encodeURIComponent(name.toWellFormed())}`,
  }));
}

const aboutOf = (former: readonly string[] | undefined) => (former ? `formerly ${former.join(', ')}` : '');
