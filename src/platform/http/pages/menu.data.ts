type Link = readonly [path: string, label: string];

/** Pages of the data, below "Explore" in the header. */
export const EXPLORE: readonly Link[] = [
  ['/codex', 'Codex'],
  ['/market', 'Market'],
  ['/leaderboards', 'Leaderboards'],
  ['/activity', 'Activity'],
  ['/mods', 'Mods'],
  ['/updates', 'Game updates'],
  ['/servers', 'Game servers'],
  ['/merchants', 'Merchants'],
];

/** Links of the header of every page beside "Explore". */
export const MENU: readonly Link[] = [
  ['/live', 'Live'],
  ['/status', 'Status'],
];
