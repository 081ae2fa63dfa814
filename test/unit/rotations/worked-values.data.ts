const noCapture = { name: null, type: null, captured_at: null };

/** The documented values of Tuesday 2026-03-10 15:30:00 UTC. */
export const TUESDAY = {
  serverTime: {
    now_unix: 1_773_156_600,
    now_iso: '2026-03-10T15:30:00.000Z',
    game_day: 'Tuesday',
    daily_reset_at: 1_773_226_800,
    weekly_reset_at: 1_773_658_800,
  },
  buffs: ['Gathering Day', 'Fast Invasions'],
  corruxion: { active: false, starts_at: 1_774_004_400, ends_at: 1_774_263_600, seconds_remaining: 847_800 },
  fluxion: { active: true, state: 'voting', starts_at: 1_773_140_400, ends_at: 1_773_399_600, seconds_remaining: 243_000 },
  twoDay: [1_773_140_400, true],
  threeDay: [1_773_313_200, false],
  chaosWeek: { starts_at: 1_773_140_400, ends_at: 1_773_745_200 },
  challenge: {
    starts_at: 1_773_154_800,
    ends_at: 1_773_156_000,
    is_friday_window: false,
    active: false,
    seconds_remaining: 0,
    ...noCapture,
  },
  biomes: [1_773_151_200, 'Cerise Sandsea', 'Primal Preserve', 'Volcanic Fields'],
  wildMana: [1_773_054_000, 'Candoria', 'Fae Forest', 'Desert Frontier'],
  stampy: [1_773_486_000, 'Jurassic Jungle'],
  delveWeek: 19,
  calendarCount: 1080,
};

/** The documented values of Thursday 2025-12-25 11:00:00 UTC, at a daily reset. */
export const RESET = {
  serverTime: {
    now_unix: 1_766_660_400,
    now_iso: '2025-12-25T11:00:00.000Z',
    game_day: 'Thursday',
    daily_reset_at: 1_766_746_800,
    weekly_reset_at: 1_767_006_000,
  },
  buffs: ['Adventure Day', 'Double Star Bar'],
  corruxion: { active: false, starts_at: 1_766_746_800, ends_at: 1_767_006_000, seconds_remaining: 86_400 },
  fluxion: { active: true, state: 'selling', starts_at: 1_766_487_600, ends_at: 1_766_746_800, seconds_remaining: 86_400 },
  twoDay: [1_766_746_800, false],
  threeDay: [1_766_833_200, false],
  chaosWeek: { starts_at: 1_766_487_600, ends_at: 1_767_092_400 },
  challenge: {
    starts_at: 1_766_660_400,
    ends_at: 1_766_661_600,
    is_friday_window: false,
    active: true,
    seconds_remaining: 1200,
    ...noCapture,
  },
  biomes: [1_766_660_400, 'Sundered Uplands', 'Spellbound Thicket', 'The Lost Isles'],
  wildMana: [1_766_401_200, 'Candoria', 'Fae Forest', 'Desert Frontier'],
  stampy: [1_766_833_200, 'Desert Frontier'],
  delveWeek: 8,
  calendarCount: 1079,
};
