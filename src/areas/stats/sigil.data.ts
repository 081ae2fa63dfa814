/** Minimum value of each tier. Values above the last threshold are in the top tier. */
export const SHIELD_THRESHOLDS = [0, 250, 550, 900, 1200, 2500, 5000, 7500, 10000, 15000, 20000, 25000, 30000, 35000, 40000] as const;
export const WING_THRESHOLDS = [
  0, 10, 30, 50, 75, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100,
] as const;

/** Side length of the image, in pixels at scale 1. */
export const SIGIL_SIZE = 88;

/** Version of the drawings, part of the ETag; increment with every change of them. */
export const SIGIL_ART_VERSION = 1;

/** Material of a shield, used for three tiers: rim from light to dark, field from light to dark, chevrons, crest. */
export interface ShieldMaterial {
  rim: readonly [string, string, string];
  field: readonly [string, string];
  charge: string;
  gem: string;
}

export const SHIELD_MATERIALS: readonly ShieldMaterial[] = [
  { rim: ['#c9cfd6', '#7f8a96', '#4a535e'], field: ['#7a4f33', '#4a2d1d'], charge: '#d9c7a8', gem: '#9aa4ae' },
  { rim: ['#f0c08a', '#b8733a', '#6b3b17'], field: ['#3f6b52', '#1f3d2e'], charge: '#f2d3a5', gem: '#7be0a2' },
  { rim: ['#ffffff', '#b4c3d4', '#66788f'], field: ['#2f5fae', '#16305f'], charge: '#eef5ff', gem: '#7fd0ff' },
  { rim: ['#fff3b8', '#e8b32c', '#94630a'], field: ['#a3232f', '#560d18'], charge: '#ffe79a', gem: '#ff6a5e' },
  { rim: ['#fbe9ff', '#b58cf0', '#5a34a8'], field: ['#2b1a66', '#0f0833'], charge: '#ffe9a8', gem: '#6ff2ff' },
];

/** Plumage of wings, used for five tiers, the last one for the top tier only: long feathers and coverts from root to tip, outline, eyes. */
export interface Plumage {
  feather: readonly [string, string];
  covert: readonly [string, string];
  edge: string;
  eye: string;
}

export const PLUMAGES: readonly Plumage[] = [
  { feather: ['#c4b59d', '#8d7c64'], covert: ['#ded3c0', '#ad9d85'], edge: '#4f4435', eye: '#f3ead8' },
  { feather: ['#d99a5f', '#8f4f22'], covert: ['#f2c592', '#b9753d'], edge: '#4d270d', eye: '#ffe0b3' },
  { feather: ['#dfe8f2', '#8797ab'], covert: ['#ffffff', '#b7c5d6'], edge: '#3c4a5e', eye: '#9fe0ff' },
  { feather: ['#ffd965', '#c07f12'], covert: ['#fff2b0', '#e6b133'], edge: '#5f3c04', eye: '#ff7a5c' },
  { feather: ['#9f8bff', '#3d2aa6'], covert: ['#d9ccff', '#7a5fe0'], edge: '#1c1157', eye: '#74f5ff' },
  { feather: ['#8ff6ff', '#2f7be6'], covert: ['#ffffff', '#ffe08a'], edge: '#14356f', eye: '#ffffff' },
];
