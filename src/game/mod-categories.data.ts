/** A category of mods. `bit`: its bit in the `flags` of a mod. */
export interface ModCategory {
  readonly name: string;
  readonly bit: number;
}

/** Every category in bit order. The order is part of the API: only append. */
export const MOD_CATEGORIES: readonly ModCategory[] = [
  'Allies',
  'Banners',
  'Boats and Sails',
  'Cosmetics',
  'Costumes',
  'Dragons',
  'Fishing',
  'GUI',
  'Helmets',
  'Language',
  'Mag Riders',
  'Mounts',
  'NPCs',
  'Wings',
  'Automation',
  'Optimization',
  'Reskin',
  'Waypoint',
  'Radar',
].map((name, index) => ({ name, bit: 1 << index }));
