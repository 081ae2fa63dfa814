/** Links of the header of every page: path and label. */
export const MENU = [
  ['/docs', 'Docs'],
  ['/codex', 'Codex'],
  ['/market', 'Market'],
  ['/leaderboards', 'Boards'],
  ['/activity', 'Activity'],
  ['/servers', 'Servers'],
  ['/live', 'Live'],
  ['/status', 'Status'],
] as const;
