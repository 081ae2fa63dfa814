/** One source of a stat: the largest value it can give, in the stat's display units. */
export interface StatSource {
  name: string;
  value: number;
  /** A slider gives any amount up to `value`, a switch all or nothing. */
  type: 'slider' | 'switch';
  percentage: boolean;
  /** Grain of a slider; known for Light only. */
  step: number | null;
  /** Whether it stays on without upkeep; known for Light only. */
  permanent: boolean | null;
}

export type StatTableKey = 'power-rank' | 'magic-find' | 'light';

type Extras = Partial<Pick<StatSource, 'percentage' | 'step' | 'permanent'>>;
type Row = (name: string, value: number, extras?: Extras) => StatSource;

const row =
  (type: StatSource['type']): Row =>
  (name, value, extras) => ({
    name,
    value,
    type,
    percentage: false,
    step: null,
    permanent: null,
    ...extras,
  });
const slider = row('slider');
const toggle = row('switch');

const lasting = { permanent: true };
const passing = { permanent: false };

/** The tables players add their own totals from, sources in display order. */
export const STAT_TABLES: Record<StatTableKey, { label: string; sources: readonly StatSource[] }> = {
  'power-rank': {
    label: 'Power Rank',
    sources: [
      slider('Dragons', 2130),
      toggle('Hat', 2324),
      toggle('Weapon', 2324),
      toggle('Face', 2324),
      toggle('Ring', 1513),
      toggle('Banner', 350),
      toggle('Gems', 44540),
      toggle('Ally', 75),
      toggle('Flask', 50),
      toggle('Emblems', 100),
      toggle('Class Level 30', 450),
      toggle('Subclass level 30', 90),
    ],
  },
  'magic-find': {
    label: 'Magic Find',
    sources: [
      slider('Dragons', 3800),
      toggle('Class Minimum MF', 100),
      toggle('Hat', 390),
      toggle('Weapon', 390),
      toggle('Face', 390),
      toggle('Ring', 450),
      toggle('Pirate Captain', 70),
      toggle('Ally', 150),
      toggle('Club Fixture', 200),
      toggle('Borrowed Luck', 250),
      toggle('Clover', 50),
      toggle('Elixir', 75),
      toggle('Store Boost', 1000),
      toggle('Bonus MF (No deaths)', 50, { percentage: true }),
    ],
  },
  light: {
    label: 'Light',
    sources: [
      toggle('Mystic 1 Weapon', 2340, lasting),
      toggle('Mystic 1 Hat', 1170, lasting),
      toggle('Mystic 1 Face', 1170, lasting),
      toggle('Mystic 1 Ring', 450, lasting),
      toggle('Mystic Cosmic Empowered Gem', 1715, lasting),
      toggle('Mystic Cosmic Lesser Gem 1', 1615, lasting),
      toggle('Mystic Cosmic Lesser Gem 2', 1615, lasting),
      toggle('Banner (Leviathan Permanent Torch U10/U11)', 900, lasting),
      slider('Ally', 450, { step: 10, ...lasting }),
      slider('Rune', 450, { step: 10, ...lasting }),
      toggle('Phoenix Fire (Subclass) / Solarion', 140, lasting),
      slider('Star Chart', 250, { step: 10, ...lasting }),
      slider('Geode Mastery Level', 1000, { step: 1, ...lasting }),
      toggle('Taeryn Veernok (Cosmic Primordial Dragon)', 494.5, lasting),
      toggle('Charl (Chaos Dragon)', 50, lasting),
      toggle('Zeuztian (Irradiant Dragon)', 25, lasting),
      toggle('Berserker Battler (Empowered Cosmic Gem Ability)', 750, passing),
      toggle('Enlightened Buff', 0.01, passing),
    ],
  },
};
