import { pick, type RandomSource, randomBelow, randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import { type FontName, fontWeight } from './fonts.ts';
import { panelSize, type SheetPlan, type SheetRow, type Theme } from './sheets.ts';

interface Look {
  panel: string;
  opacity: number;
  label: readonly [number, number, number];
  value: readonly [number, number, number];
  /** Colour of the panel, which text colours approach at low contrast. */
  base: readonly [number, number, number];
  texture: 'none' | 'gradient' | 'grain' | 'voxels';
}

const LOOKS: Readonly<Record<Theme, Look>> = {
  night: { panel: '#12182b', opacity: 1, label: [200, 214, 240], value: [255, 255, 255], base: [18, 24, 43], texture: 'gradient' },
  glass: { panel: '#0b1020', opacity: 0.72, label: [235, 235, 245], value: [255, 226, 138], base: [30, 36, 56], texture: 'voxels' },
  parchment: { panel: '#e9dcc0', opacity: 1, label: [74, 52, 30], value: [30, 20, 12], base: [233, 220, 192], texture: 'grain' },
  violet: { panel: '#2b1445', opacity: 0.94, label: [222, 200, 255], value: [140, 255, 190], base: [43, 20, 69], texture: 'gradient' },
  flat: { panel: '#f4f5f7', opacity: 1, label: [60, 64, 72], value: [16, 18, 22], base: [244, 245, 247], texture: 'none' },
  voxels: { panel: '#1d2b22', opacity: 0.86, label: [214, 240, 214], value: [255, 255, 255], base: [29, 43, 34], texture: 'voxels' },
};
const ROW_HEIGHT = 1.75;
const HUD_TEXTS = [
  'Club Chat',
  'Press E to interact',
  'Radiant Sovereign',
  'Quest complete!',
  'LEVEL 30',
  'Dungeon 3 of 5',
  'FPS 144',
  'x1,250',
  '12:45',
];

/** Draws the image as SVG. */
export function sheetSvg(plan: SheetPlan): string {
  const random = seededRandom(plan.seed);
  const panel = panelSize(plan.fontSize, plan.rows.length, plan.columns);
  const x = plan.wholeScreen ? Math.floor(randomUnit(random) * (plan.width - panel.width)) : 0;
  const y = plan.wholeScreen ? Math.floor(randomUnit(random) * (plan.height - panel.height)) : 0;
  const look = LOOKS[plan.theme];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${plan.width}" height="${plan.height}">
${world(plan, look, random)}
<rect x="${x}" y="${y}" width="${panel.width}" height="${panel.height}" fill="${look.panel}" fill-opacity="${look.opacity}" stroke="#8090b0" stroke-opacity=".5"/>
${panelGrain(look, x, y, panel, random)}
<g font-family="${plan.font}" font-weight="${fontWeight(plan.font as FontName)}">
${plan.wholeScreen ? hud(plan, { x, y, ...panel }, random) : ''}
${title(plan, look, x, y)}
${plan.rows.map((row, index) => rowSvg(plan, look, row, index, x, y, random)).join('\n')}
</g></svg>`;
}

/** Background of the panel. */
function world(plan: SheetPlan, look: Look, random: RandomSource): string {
  const { width, height } = plan;
  const filled = (fill: string) => `<rect width="${width}" height="${height}" fill="${fill}"/>`;
  if (look.texture === 'gradient') {
    return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#33527f"/><stop offset="1" stop-color="#0d1220"/></linearGradient></defs>${filled('url(#sky)')}`;
  }
  if (look.texture !== 'voxels') return filled(look.texture === 'grain' ? '#7d6a4d' : '#d9dde4');
  const size = Math.max(16, Math.round(height / 24));
  const blocks: string[] = [filled('#3b5d3a')];
  for (let top = 0; top < height; top += size) {
    for (let left = 0; left < width; left += size) {
      const colour = pick(random, ['#4f7f45', '#3e6b3a', '#6d5a3c', '#5b8bb0', '#7fae6a', '#2f4a33']);
      blocks.push(`<rect x="${left}" y="${top}" width="${size}" height="${size}" fill="${colour}"/>`);
    }
  }
  return blocks.join('');
}

function panelGrain(
  { texture }: Look,
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
  random: RandomSource,
): string {
  if (texture !== 'grain') return '';
  const spots = Array.from({ length: 260 }, () => {
    const radius = 2 + randomBelow(random, 14);
    return `<circle cx="${x + randomBelow(random, width)}" cy="${y + randomBelow(random, height)}" r="${radius}" fill="#b89b6a" fill-opacity="${(0.05 + randomUnit(random) * 0.14).toFixed(2)}"/>`;
  });
  return spots.join('');
}

/** Game texts around the panel, without stats. */
function hud(plan: SheetPlan, panel: { x: number; y: number; width: number; height: number }, random: RandomSource): string {
  const size = plan.fontSize;
  const texts = Array.from({ length: 7 }, () => {
    const x = randomBelow(random, Math.max(1, plan.width - size * 12));
    const y = size * 2 + randomBelow(random, Math.max(1, plan.height - size * 4));
    const text = pick(random, HUD_TEXTS);
    const overlaps =
      x < panel.x + panel.width + size && x + size * 12 > panel.x && y > panel.y - size * 2 && y < panel.y + panel.height + size * 2;
    return overlaps
      ? ''
      : `<text x="${x}" y="${y}" font-size="${size}" fill="#fff" stroke="#000" stroke-width="${size / 12}" paint-order="stroke">${text}</text>`;
  });
  return texts.join('');
}

function title(plan: SheetPlan, look: Look, x: number, y: number): string {
  const { fontSize, language } = plan;
  const text = language === 'fr' ? 'Feuille de personnage' : 'Character Sheet';
  return `<text x="${x + fontSize}" y="${y + fontSize * 2}" font-size="${fontSize * 1.3}" fill="${mixed(look.label, look.base, plan.contrast)}">${text}</text>
<text x="${x + fontSize}" y="${y + fontSize * 3.4}" font-size="${fontSize * 0.9}" fill="${mixed(look.label, look.base, plan.contrast)}">LEVEL 30</text>`;
}

function rowSvg(plan: SheetPlan, look: Look, row: SheetRow, index: number, x: number, y: number, random: RandomSource): string {
  const { fontSize, columns, rows, icons, valuesClose, contrast } = plan;
  const perColumn = Math.ceil(rows.length / columns);
  const column = Math.floor(index / perColumn);
  const left = x + fontSize * (1 + 22 * column);
  const baseline = y + fontSize * (5 + (index % perColumn) * ROW_HEIGHT);
  const labelX = left + (icons ? fontSize * 1.5 : 0);
  const labels = `font-size="${fontSize}" fill="${mixed(look.label, look.base, contrast)}"`;
  const values = `font-size="${fontSize}" fill="${mixed(look.value, look.base, contrast)}"`;
  const icon = icons
    ? `<circle cx="${left + fontSize * 0.5}" cy="${baseline - fontSize * 0.35}" r="${fontSize * 0.42}" fill="${pick(random, ['#d0803a', '#4a90d9', '#b04a6a', '#59b36b'])}"/>`
    : '';
  const label = escaped(row.label);
  const text = valuesClose
    ? `<text x="${labelX}" y="${baseline}" ${labels}>${label}: <tspan ${values}>${row.text}</tspan></text>`
    : `<text x="${labelX}" y="${baseline}" ${labels}>${label}</text><text x="${left + fontSize * 20}" y="${baseline}" text-anchor="end" ${values}>${row.text}</text>`;
  const line = `<rect x="${left}" y="${baseline + fontSize * 0.5}" width="${fontSize * 20}" height="1" fill="#8090b0" fill-opacity=".3"/>`;
  return icon + text + line;
}

function mixed(colour: readonly [number, number, number], base: readonly [number, number, number], share: number): string {
  return `rgb(${colour.map((part, index) => Math.round(part * share + (base[index] ?? 0) * (1 - share))).join(',')})`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
}
