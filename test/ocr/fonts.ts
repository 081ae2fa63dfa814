import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/paths.ts';

/** Free fonts similar to those of games: family name to package, file and weight. */
const FONTS = {
  'Open Sans': ['open-sans', '600SemiBold/OpenSans_600SemiBold.ttf', 600],
  'Roboto Condensed': ['roboto-condensed', '500Medium/RobotoCondensed_500Medium.ttf', 500],
  'Exo 2': ['exo-2', '600SemiBold/Exo2_600SemiBold.ttf', 600],
  Ubuntu: ['ubuntu', '500Medium/Ubuntu_500Medium.ttf', 500],
  'PT Sans': ['pt-sans', '700Bold/PTSans_700Bold.ttf', 700],
  'Titillium Web': ['titillium-web', '600SemiBold/TitilliumWeb_600SemiBold.ttf', 600],
} as const;

export type FontName = keyof typeof FONTS;
export const FONT_NAMES = Object.keys(FONTS) as FontName[];

export function fontWeight(name: FontName): number {
  return FONTS[name][2];
}

export function readFonts(): Uint8Array[] {
  return Object.values(FONTS).map(([pack, file]) => new Uint8Array(readFileSync(inRoot('node_modules', '@expo-google-fonts', pack, file))));
}
