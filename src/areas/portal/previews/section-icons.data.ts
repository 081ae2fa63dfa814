import type { PreviewSection } from '../../../platform/http/pages/menu.data.ts';

/**
 * Icons of the sections for link previews: nine rows of nine cells. Letters are colours of `ICON_COLORS`, a space is empty.
 */
export const SECTION_ICONS: Readonly<Record<PreviewSection, readonly string[]>> = {
  today: ['    g    ', ' g     g ', '   ggg   ', '  gyyyg  ', 'g gyyyg g', '  gyyyg  ', '   ggg   ', ' g     g ', '    g    '],
  week: [' s     s ', 'rrrrrrrrr', 'rrrrrrrrr', 'w w w w w', 'wwwwwwwww', 'w w g w w', 'wwwwwwwww', 'w w w w w', 'wwwwwwwww'],
  merchants: ['   www   ', '   g g   ', '   bbb   ', '  bbbbb  ', ' bbbgbbb ', ' bbgggbb ', ' bbbgbbb ', ' bbbbbbb ', '  bbbbb  '],
  codex: ['       ss', '      sws', '     sws ', '    sws  ', 'g  sws   ', ' gsws    ', '  gg     ', ' b g     ', 'b   g    '],
  market: ['  ggggg  ', ' gyyyyyg ', 'gyyygyyyg', 'gyygggyyg', 'gyygyyyyg', 'gyygggyyg', 'gyyygyyyg', ' gyyyyyg ', '  ggggg  '],
  leaderboards: ['ggggggggg', 'g gyyyg g', 'g gyyyg g', ' ggyyygg ', '   gyg   ', '    g    ', '    g    ', '   bbb   ', '  bbbbb  '],
  players: ['  vvvvv  ', ' vvvvvvv ', ' vwwvwwv ', ' vwbvwbv ', ' vvvvvvv ', '  vvvvv  ', ' vvvvvvv ', 'vvvvvvvvv', 'vvvvvvvvv'],
  activity: ['        l', '       ll', '      l l', ' l   l  l', 'l l l  l ', '   l     ', '         ', 'sssssssss', '         '],
  mods: ['   vv    ', '   vv    ', ' vvvvvv  ', ' vvvvvv  ', ' vvvvvvvv', ' vvvvvvvv', ' vvvvvv  ', ' vv  vv  ', '         '],
  updates: ['    l    ', '   lll   ', '  lllll  ', ' lllllll ', '   lll   ', '   lll   ', '   lll   ', '         ', ' sssssss '],
  servers: ['sssssssss', 's l l   s', 'sssssssss', '         ', 'sssssssss', 's l l   s', 'sssssssss', '    s    ', 'sssssssss'],
  docs: ['bbbbbbbb ', 'bwwwwwwwb', 'bwsssswwb', 'bwwwwwwwb', 'bwssssswb', 'bwwwwwwwb', 'bwsssswwb', 'bwwwwwwwb', 'bbbbbbbb '],
  live: ['     gg  ', '    gg   ', '   gg    ', '  ggggg  ', '    ggg  ', '   ggg   ', '  gg     ', ' gg      ', ' g       '],
  search: ['  ssss   ', ' s    s  ', 's      s ', 's  w   s ', 's      s ', ' s    s  ', '  ssssb  ', '      bb ', '       bb'],
};

export const ICON_COLORS: Readonly<Record<string, string>> = {
  b: '#b5763f',
  g: '#ffd166',
  l: '#5fd38d',
  r: '#e2574c',
  s: '#9fb2d8',
  v: '#8f7be8',
  w: '#f3f0ff',
  y: '#ffe9a8',
};
