/** One source of a stat with its maximum value, in display units of the stat. */
export interface StatSource {
  name: string;
  value: number;
  /** `slider`: any amount up to `value`; `switch`: all or nothing. */
  type: 'slider' | 'switch';
  percentage: boolean;
  /** Step of a slider; known for Light only. */
  step: number | null;
  /** Whether the source is permanent; known for Light only. */
  permanent: boolean | null;
}

export type StatTableKey = 'power-rank' | 'magic-find' | 'light';

type Extras = Partial<Pick<StatSource, 'percentage' | 'step' | 'permanent'>>;
type Row = (name: string, value: number, extras?: Extras) => StatSource;

const createRow =
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
const slider = createRow('slider');
const toggle = createRow('switch');

const permanent = { permanent: true };
const temporary = { permanent: false };

/** Stat tables, with sources in display order. */
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
      toggle('Mystic 1 Weapon', 2340, permanent),
      toggle('Mystic 1 Hat', 1170, permanent),
      toggle('Mystic 1 Face', 1170, permanent),
      toggle('Mystic 1 Ring', 450, permanent),
      toggle('Mystic Cosmic Empowered Gem', 1715, permanent),
      toggle('Mystic Cosmic Lesser Gem 1', 1615, permanent),
      toggle('Mystic Cosmic Lesser Gem 2', 1615, permanent),
      toggle('Banner (Leviathan Permanent Torch U10/U11)', 900, permanent),
      slider('Ally', 450, { step: 10, ...permanent }),
      slider('Rune', 450, { step: 10, ...permanent }),
      toggle('Phoenix Fire (Subclass) / Solarion', 140, permanent),
      slider('Star Chart', 250, { step: 10, ...permanent }),
      slider('Geode Mastery Level', 1000, { step: 1, ...permanent }),
      toggle('Taeryn Veernok (Cosmic Primordial Dragon)', 494.5, permanent),
      toggle('Charl (Chaos Dragon)', 50, permanent),
      toggle('Zeuztian (Irradiant Dragon)', 25, permanent),
      toggle('Berserker Battler (Empowered Cosmic Gem Ability)', 750, temporary),
      toggle('Enlightened Buff', 0.01, temporary),
    ],
  },
};

/** Sources whose value is a share of the sum of the others: 0.01 adds 1 %. */
export const STAT_FACTORS: ReadonlySet<string> = new Set(['Enlightened Buff']);

/** Sources of Power Rank that are gear. */
export const GEAR_SOURCES: ReadonlySet<string> = new Set(['Hat', 'Weapon', 'Face', 'Ring', 'Banner']);
