import { coefficientOf } from '../../src/game/coefficient.domain.ts';
import { happens, pick, type RandomSource, randomBelow, randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import { FONT_NAMES, type FontName } from './fonts.ts';

export type Theme = 'night' | 'glass' | 'parchment' | 'violet' | 'flat' | 'voxels';
export type Format = 'png' | 'jpeg' | 'webp';
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A row of a sheet. */
export interface SheetRow {
  key: string;
  label: string;
  text: string;
  value: number;
}

/** All parameters of an image of the corpus. */
export interface SheetPlan {
  name: string;
  group: 'clean' | 'noisy';
  language: Language;
  theme: Theme;
  font: FontName;
  /** Size of the image. */
  width: number;
  height: number;
  fontSize: number;
  /** Panels side by side. */
  columns: 1 | 2;
  /** Whether values follow their labels instead of being right-aligned. */
  valuesClose: boolean;
  icons: boolean;
  /** Whether the image is a screenshot of the game around the panel. */
  wholeScreen: boolean;
  rows: SheetRow[];
  format: Format;
  /** Quality of JPEG and WebP. */
  quality: number;
  /** Standard deviation of the noise, in grey levels. */
  noise: number;
  /** Scale of the resampling, as in interfaces at 110 or 125 %; 1: none. */
  resample: number;
  /** Share of the text colour in the mix with the panel; 1: full contrast. */
  contrast: number;
  seed: number;
}

interface StatSpec extends Record<Language, string> {
  key: string;
  kind: 'int' | 'percent';
  low: number;
  high: number;
}

const statOf = (
  key: string,
  [en, fr, de, es, pt]: readonly [string, string, string, string, string],
  kind: StatSpec['kind'],
  low: number,
  high: number,
): StatSpec => ({ key, en, fr, de, es, pt, kind, low, high });

/** The stats in the order of the sheet, with the value ranges of characters. */
const STATS: readonly StatSpec[] = [
  statOf(
    'physical_damage',
    ['Physical Damage', 'Dégâts physiques', 'Physischer Schaden', 'Daño físico', 'Dano Físico'],
    'int',
    1_000,
    900_000,
  ),
  statOf('magic_damage', ['Magic Damage', 'Dégâts magiques', 'Magischer Schaden', 'Daño mágico', 'Dano Mágico'], 'int', 1_000, 1_400_000),
  statOf(
    'critical_damage',
    ['Critical Damage', 'Dégâts critiques', 'Kritischer Schaden', 'Daño crítico', 'Dano Critico'],
    'percent',
    50,
    4_000,
  ),
  statOf('critical_hit', ['Critical Hit', 'Coup critique', 'Kritischer Treffer', 'Golpe crítico', 'Chance Crítica'], 'percent', 1, 120),
  statOf(
    'attack_speed',
    ['Attack Speed', "Vitesse d'attaque", 'Angriffstempo', 'Rapidez de ataque', 'Velocidade de Ataque'],
    'percent',
    100,
    400,
  ),
  statOf('maximum_health', ['Maximum Health', 'PV maximum', 'Max. Gesundheit', 'Salud máxima', 'Vida Máxima'], 'int', 5_000, 4_000_000),
  statOf('health_regen', ['Health Regen', 'Régén. PV', 'Genesung', 'Regeneración de salud', 'Ganho de Vida'], 'int', 100, 90_000),
  statOf('maximum_energy', ['Maximum Energy', 'Énergie maximum', 'Maximalenergie', 'Energía máxima', 'Energia Máxima'], 'int', 100, 400),
  statOf(
    'energy_regen',
    ['Energy Regen', 'Régén. énergie', 'Energieerneuerung', 'Regeneración de energía', 'Regeneração de Energia'],
    'int',
    10,
    400,
  ),
  statOf(
    'movement_speed',
    ['Movement Speed', 'Vit. de déplacement', 'Lauftempo', 'Velocidad de movimiento', 'Velocidade de Movimento'],
    'int',
    50,
    190,
  ),
  statOf('stability', ['Stability', 'Stabilité', 'Standfestigkeit', 'Estabilidad', 'Estabilidade'], 'int', 10, 500),
  statOf('jump', ['Jump', 'Saut', 'Sprünge', 'Saltar', 'Pulo'], 'int', 3, 30),
  statOf('magic_find', ['Magic Find', 'Trouvaille magique', 'Magiegespür', 'Hallazgo mágico', 'Sorte Mágica'], 'int', 100, 20_000),
  statOf('light', ['Light', 'Lumière', 'Licht', 'Luz', 'Luz'], 'int', 100, 22_000),
  statOf('lasermancy', ['Lasermancy', 'Lasermancie', 'Lasermanie', 'Lasermancia', 'Lasermancia'], 'int', 1, 900),
  statOf(
    'flask_capacity',
    ['Flask Capacity', 'Contenance de flasque', 'Flakonkapazität', 'Capacidad del frasco', 'Capacidade de Frascos'],
    'int',
    5,
    30,
  ),
  statOf(
    'experience_gain',
    ['Experience Gain', "Gain d'expérience", 'Erfahrungsgewinn', 'Ganancia de experiencia', 'Experiência Ganha'],
    'int',
    50,
    900,
  ),
  statOf('battle_factor', ['Battle Factor', 'Facteur de combat', 'Kampffaktor', 'Factor de batalla', 'Fator de Batalha'], 'int', 5, 80),
  statOf('chaos_factor', ['Chaos Factor', 'Facteur de chaos', 'Chaos Factor', 'Chaos Factor', 'Chaos Factor'], 'int', 1, 40),
  statOf('superstition', ['Superstition', 'Superstition', 'Aberglaube', 'Superstición', 'Superstição'], 'int', 1, 90),
  statOf('power_rank', ['Power Rank', 'Rg de pouvoir', 'Machtrang', 'Rango de poder', 'Nível de Poder'], 'int', 1_000, 42_000),
];

const SCREENS: readonly (readonly [number, number])[] = [
  [1280, 720],
  [1366, 768],
  [1600, 900],
  [1920, 1080],
  [1920, 1080],
  [2560, 1440],
  [3440, 1440],
  [3840, 2160],
];
const THEMES: readonly Theme[] = ['night', 'glass', 'parchment', 'violet', 'flat', 'voxels'];
const MANY_ROWS = 14;

/** Plans `count` images, every other one noisy. The same seed gives the same images. */
export function planSheets(count: number, seed: number, languages: readonly Language[] = []): SheetPlan[] {
  // Every language has clean and noisy images, which alternate.
  const languageOf = (index: number) => languages[(index >> 1) % languages.length];
  return Array.from({ length: count }, (_, index) => planSheet(index, seededRandom(`${seed}-${index}`), languageOf(index)));
}

function planSheet(index: number, random: RandomSource, fixedLanguage?: Language): SheetPlan {
  const group = index % 2 === 0 ? 'clean' : 'noisy';
  const isNoisy = group === 'noisy';
  const drawnLanguage = happens(random, 0.25) ? 'fr' : 'en';
  const language = fixedLanguage ?? drawnLanguage;
  const wholeScreen = happens(random, 0.45);
  const screen = pick(random, SCREENS);
  const scale = (screen[1] / 1080) * (isNoisy ? pick(random, [0.9, 1, 1.1, 1.25]) : pick(random, [1, 1, 1.25]));
  const fontSize = Math.max(isNoisy ? 13 : 14, Math.round(scale * (16 + randomUnit(random) * 8) * 10) / 10);
  const rows = planRows(language, random);
  const columns = rows.length >= MANY_ROWS && happens(random, 0.5) ? 2 : 1;
  const panel = panelSize(fontSize, rows.length, columns);
  const chosen = pick<Format>(random, isNoisy ? ['jpeg', 'jpeg', 'webp', 'png'] : ['png', 'png', 'jpeg', 'webp']);
  // A noisy full screenshot as PNG exceeds the maximum body size.
  const format = isNoisy && wholeScreen && chosen === 'png' ? 'jpeg' : chosen;
  return {
    name: `${String(index).padStart(3, '0')}-${group}-${language}`,
    group,
    language,
    theme: isNoisy ? pick(random, ['glass', 'parchment', 'voxels', 'voxels', 'violet']) : (THEMES[index % THEMES.length] ?? 'night'),
    font: pick(random, FONT_NAMES),
    width: wholeScreen ? Math.max(screen[0], Math.ceil(panel.width * 1.2)) : panel.width,
    height: wholeScreen ? Math.max(screen[1], Math.ceil(panel.height * 1.1)) : panel.height,
    fontSize,
    columns,
    valuesClose: happens(random, 0.3),
    icons: happens(random, 0.4),
    wholeScreen,
    rows,
    format,
    quality: isNoisy ? pick(random, [35, 45, 55, 65]) : pick(random, [85, 92, 97]),
    noise: isNoisy ? pick(random, [0, 4, 8, 12]) : 0,
    // A scaled interface, but never an image larger than 4K.
    resample: isNoisy ? pick(random, wholeScreen ? [0.9, 1, 1] : [0.85, 1, 1.1, 1.37]) : 1,
    contrast: isNoisy ? pick(random, [0.55, 0.7, 0.85]) : 1,
    seed: randomBelow(random, 2 ** 31),
  };
}

/** Size of the panel in pixels. */
export function panelSize(fontSize: number, rows: number, columns: number): { width: number; height: number } {
  const perColumn = Math.ceil(rows / columns);
  return { width: Math.ceil(fontSize * (22 * columns + 2)), height: Math.ceil(fontSize * (perColumn * 1.75 + 5)) };
}

function planRows(language: Language, random: RandomSource): SheetRow[] {
  const rowCount = 6 + randomBelow(random, 16);
  const selected = STATS.filter((_, index) => index < 4 || happens(random, rowCount / STATS.length));
  const comma = language === 'en' ? ',' : '.';
  const rows = selected.map((stat) => {
    const value = drawValue(stat, random);
    return { key: stat.key, label: stat[language], text: textOf(value, stat.kind, comma), value };
  });
  return happens(random, 0.5) ? rows : [...rows, coefficientRow(rows, comma)];
}

/** Draws a value, spread over the orders of magnitude. */
function drawValue({ low, high, kind }: StatSpec, random: RandomSource): number {
  const value = low * (high / low) ** randomUnit(random);
  return kind === 'int' ? Math.round(value) : Math.round(value * 10) / 10;
}

function textOf(value: number, kind: StatSpec['kind'], comma: string): string {
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, comma);
  const point = comma === ',' ? '.' : ',';
  if (kind === 'int') return grouped;
  return fraction === undefined ? `${grouped}%` : `${grouped}${point}${fraction}%`;
}

function coefficientRow(rows: readonly SheetRow[], comma: string): SheetRow {
  const of = (key: string) => rows.find((row) => row.key === key)?.value ?? null;
  const value = coefficientOf({
    physical_damage: of('physical_damage'),
    magic_damage: of('magic_damage'),
    critical_damage: of('critical_damage'),
  }).coefficient;
  return { key: 'coefficient', label: 'Coefficient', text: textOf(value, 'int', comma), value };
}
