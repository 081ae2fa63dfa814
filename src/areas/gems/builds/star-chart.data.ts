/** Bonus of a node on one stat: `flat` in display units, `scaling` in percent. */
interface StarChartBonus {
  stat: string;
  flat: number;
  scaling: number;
}

export interface StarChartNode {
  /** Root, then alternating letter and digit segments. */
  path: string;
  name: string;
  stats?: readonly StarChartBonus[];
  /** Paths of the nodes that this node replaces. */
  overwrites?: readonly string[];
  /** Short text of an effect other than stats. */
  ability?: string;
}

const flat = (stat: string, amount: number): StarChartBonus => ({ stat, flat: amount, scaling: 0 });
const scaling = (stat: string, percent: number): StarChartBonus => ({ stat, flat: 0, scaling: percent });

/** Letter of each root path in short codes. */
export const STAR_CHART_ROOTS: Readonly<Record<string, string>> = { combat: 'c', gathering: 'g', pve: 'p' };

/** Boss-hunt nodes by name: bonus to Physical and Magic Damage in percent after the boss is defeated. */
export const BOUNTY_HUNTS: Readonly<Record<string, { physical: number; magic: number }>> = {
  'Bounty Hunt Boon': { physical: 10, magic: 10 },
  'Bounty Hunt': { physical: 15, magic: 15 },
};

/** Selectable nodes in code-point order of the paths; the id of a node is its index. */
export const STAR_CHART_NODES: readonly StarChartNode[] = [
  { path: 'combat.a', name: 'Strength', stats: [scaling('Physical Damage', 3)] },
  { path: 'combat.a.0', name: 'Lucky Strikes', ability: 'critical hits: 5% chance of +20 Critical Hit for 10 s' },
  { path: 'combat.a.0.a', name: 'Haste', stats: [flat('Attack Speed', 15)] },
  { path: 'combat.a.0.a.0', name: 'Accuracy', stats: [flat('Critical Hit', 6)] },
  { path: 'combat.a.0.a.1', name: 'Leaping and Anti-Knockback', stats: [flat('Jump', 5), flat('Stability', 100)] },
  { path: 'combat.a.0.a.1.a', name: 'Accuracy', stats: [flat('Critical Hit', 6)] },
  {
    path: 'combat.a.0.a.1.b',
    name: 'Lucky Strikes 2.0',
    overwrites: ['combat.a.0'],
    ability: 'critical hits: 10% chance of +30 Critical Hit for 10 s',
  },
  {
    path: 'combat.a.0.a.1.b.0',
    name: 'Accuracy, Intellect and Strength',
    stats: [flat('Critical Hit', 5), scaling('Magic Damage', 5), scaling('Physical Damage', 5)],
  },
  { path: 'combat.a.0.a.1.b.1', name: 'Accuracy and Heartiness', stats: [flat('Critical Hit', 5), scaling('Maximum Health', 10)] },
  { path: 'combat.a.0.b', name: 'Accuracy', stats: [flat('Critical Hit', 6)] },
  { path: 'combat.a.1', name: 'Reflection', ability: 'damage taken: 10% chance of a 20% reflect shield for 10 s; 60 s cooldown' },
  { path: 'combat.a.1.a', name: 'Strength', stats: [scaling('Physical Damage', 3)] },
  {
    path: 'combat.a.1.a.0',
    name: 'Reflection 2.0',
    overwrites: ['combat.a.1'],
    ability: 'damage taken: 20% chance of a 30% reflect shield for 10 s; 60 s cooldown',
  },
  { path: 'combat.a.1.a.0.a', name: 'Protection', stats: [scaling('Damage Reduction', 3)] },
  { path: 'combat.a.1.a.0.b', name: 'Strength', stats: [scaling('Physical Damage', 6)] },
  { path: 'combat.a.1.a.0.b.0', name: 'Protection', stats: [scaling('Damage Reduction', 3)] },
  { path: 'combat.a.1.a.0.b.1', name: 'Strength', stats: [scaling('Physical Damage', 6)] },
  {
    path: 'combat.a.1.a.0.b.1.a',
    name: 'Reflection 3.0',
    overwrites: ['combat.a.1', 'combat.a.1.a.0'],
    ability: 'damage taken: 30% chance of a 45% reflect shield with 30% damage reduction for 10 s; 60 s cooldown',
  },
  { path: 'combat.a.1.a.0.b.1.b', name: 'Strength', stats: [scaling('Physical Damage', 15)] },
  { path: 'combat.a.1.b', name: 'Anti-Knockback', stats: [flat('Stability', 75)] },
  { path: 'combat.b', name: 'Intellect', stats: [scaling('Magic Damage', 3)] },
  { path: 'combat.b.0', name: 'Rage', ability: 'below 30% health: 6% outgoing damage and 10% attack speed for 10 s; 120 s cooldown' },
  { path: 'combat.b.0.a', name: 'Intellect', stats: [scaling('Magic Damage', 3)] },
  { path: 'combat.b.0.a.0', name: 'Heartiness', stats: [scaling('Maximum Health', 10)] },
  { path: 'combat.b.0.a.1', name: 'Intellect', stats: [scaling('Magic Damage', 3)] },
  { path: 'combat.b.0.a.1.a', name: 'Heartiness', stats: [scaling('Maximum Health', 10)] },
  {
    path: 'combat.b.0.a.1.b',
    name: 'Rage 1.5',
    overwrites: ['combat.b.0'],
    ability: 'below 40% health: 8% outgoing damage and 10% attack speed for 10 s; 120 s cooldown',
  },
  { path: 'combat.b.0.a.1.b.0', name: 'Anti-Knockback', stats: [flat('Stability', 75)] },
  { path: 'combat.b.0.a.1.b.0.a', name: 'Speed', stats: [flat('Movement Speed', 8)] },
  { path: 'combat.b.0.a.1.b.1', name: 'Intellect', stats: [scaling('Magic Damage', 3)] },
  { path: 'combat.b.0.a.1.b.1.a', name: 'Haste', stats: [flat('Attack Speed', 15)] },
  {
    path: 'combat.b.0.a.1.b.1.b',
    name: 'Rage 2.5',
    overwrites: ['combat.b.0', 'combat.b.0.a.1.b'],
    ability: 'below 45% health: 10% outgoing damage and 10% attack speed for 10 s; 120 s cooldown',
  },
  { path: 'combat.b.0.a.1.b.1.b.0', name: 'Heartiness', stats: [scaling('Maximum Health', 10)] },
  { path: 'combat.b.0.a.1.b.1.b.1', name: 'Intellect', stats: [scaling('Magic Damage', 15)] },
  {
    path: 'combat.b.0.a.1.b.1.b.1.a',
    name: 'Rage 3.0',
    overwrites: ['combat.b.0', 'combat.b.0.a.1.b', 'combat.b.0.a.1.b.1.b'],
    ability: 'below 45% health: 12% outgoing damage and 10% attack speed for 15 s; 120 s cooldown',
  },
  { path: 'combat.b.1', name: 'Weakness', ability: 'critical hits: 5% chance of +15 Critical Damage for 10 s' },
  { path: 'combat.b.1.a', name: 'Critical', stats: [flat('Critical Damage', 5)] },
  {
    path: 'combat.b.1.a.0',
    name: 'Weakness 1.5',
    overwrites: ['combat.b.1'],
    ability: 'critical hits: 10% chance of +25 Critical Damage for 10 s',
  },
  { path: 'combat.b.1.a.1', name: 'Critical', stats: [flat('Critical Damage', 10)] },
  { path: 'combat.b.1.b', name: 'Critical', stats: [flat('Critical Damage', 10)] },
  { path: 'gathering.a', name: 'Luck', stats: [scaling('Magic Find', 3)] },
  { path: 'gathering.a.0', name: 'Shard Searcher', ability: 'ore mined +10%' },
  { path: 'gathering.a.0.a', name: 'Mining', stats: [flat('Lasermancy', 80)] },
  { path: 'gathering.a.0.a.0', name: 'Knowledge', ability: 'experience gain +5%' },
  { path: 'gathering.a.0.a.0.a', name: 'Knowledge and Luck', stats: [scaling('Experience Gain', 2.5), scaling('Magic Find', 3)] },
  { path: 'gathering.a.0.a.0.a.0', name: 'Knowledge and Accuracy', stats: [scaling('Experience Gain', 2.5), flat('Critical Hit', 15)] },
  {
    path: 'gathering.a.0.a.0.a.0.a',
    name: 'Knowledge and Critical',
    stats: [scaling('Experience Gain', 2.5), flat('Critical Damage', 15)],
  },
  { path: 'gathering.a.0.a.0.a.1', name: 'Luck', stats: [scaling('Magic Find', 8.88)] },
  { path: 'gathering.a.0.a.0.b', name: 'Luck and DYI', stats: [scaling('Magic Find', 3), flat('Crafting Speed', 30)] },
  {
    path: 'gathering.a.0.b',
    name: 'Alchemy, Heartiness and Leaping',
    stats: [flat('Flask Capacity', 1), scaling('Maximum Health', 5), flat('Jump', 5)],
  },
  { path: 'gathering.a.0.b.0', name: 'Harvest', ability: 'harvest +10%' },
  { path: 'gathering.a.0.b.0.a', name: 'Heartiness and Healing', stats: [scaling('Maximum Health', 10), flat('Health Regen', 400)] },
  { path: 'gathering.a.0.b.0.a.0', name: 'Harvest 2.0', overwrites: ['gathering.a.0.b.0'], ability: 'harvest +15%' },
  { path: 'gathering.a.0.b.0.a.0.a', name: 'Haste and Critical', stats: [flat('Attack Speed', 15), flat('Critical Damage', 15)] },
  { path: 'gathering.a.0.b.0.a.0.b', name: 'Protection', stats: [scaling('Damage Reduction', 15)] },
  { path: 'gathering.a.0.b.0.b', name: 'Attack', stats: [scaling('Outgoing Damage', 3)] },
  { path: 'gathering.a.0.b.0.b.0', name: 'Shard Searcher 2.0', overwrites: ['gathering.a.0'], ability: 'ore mined +15%' },
  { path: 'gathering.a.0.b.0.b.0.a', name: 'Mining and Heartiness', stats: [flat('Lasermancy', 100), scaling('Maximum Health', 15)] },
  { path: 'gathering.a.0.b.0.c', name: 'Alchemy', stats: [flat('Flask Capacity', 1)] },
  { path: 'gathering.a.0.b.0.c.0', name: 'Healing and Caffeine', stats: [scaling('Health Regen', 6), scaling('Energy Regen', 6)] },
  { path: 'gathering.b', name: 'Mining and Leaps', stats: [flat('Lasermancy', 100), flat('Jump', 10)] },
  { path: 'gathering.b.0', name: 'Long Reach', ability: 'mounted gathering range: slight increase' },
  { path: 'gathering.b.0.a', name: 'Alchemy and Healing', stats: [flat('Flask Capacity', 1), flat('Health Regen', 300)] },
  { path: 'gathering.b.0.a.0', name: 'Sundard Flight', ability: 'less glide reduction in Sundered Uplands, Uber 7' },
  {
    path: 'gathering.b.0.a.0.a',
    name: 'Sundered Flight 2.0',
    overwrites: ['gathering.b.0.a.0'],
    ability: 'less glide reduction in Sundered Uplands up to Uber 10',
  },
  {
    path: 'gathering.b.0.a.0.a.0',
    name: 'Sundered Flight 3.0',
    overwrites: ['gathering.b.0.a.0', 'gathering.b.0.a.0.a'],
    ability: 'less glide reduction in all Sundered Uplands',
  },
  { path: 'gathering.b.0.b', name: 'Mining and Heartiness', stats: [flat('Lasermancy', 200), scaling('Maximum Health', 10)] },
  {
    path: 'gathering.b.0.b.0',
    name: 'Long Reach 2.0',
    overwrites: ['gathering.b.0'],
    ability: 'mounted gathering range: moderate increase',
  },
  { path: 'gathering.b.0.b.0.a', name: 'Intellect', stats: [scaling('Magic Damage', 5)] },
  { path: 'gathering.b.0.b.0.b', name: 'Heartiness', stats: [scaling('Maximum Health', 5)] },
  {
    path: 'gathering.b.0.b.0.b.0',
    name: 'Long Reach 3.0',
    overwrites: ['gathering.b.0', 'gathering.b.0.b.0'],
    ability: 'mounted gathering range: great increase',
  },
  { path: 'gathering.b.0.b.0.b.0.a', name: 'Protection', stats: [scaling('Damage Reduction', -5)] },
  { path: 'gathering.b.0.b.0.b.0.a.0', name: 'Protection', stats: [scaling('Damage Reduction', -10)] },
  {
    path: 'gathering.b.0.b.0.b.0.b',
    name: 'Heartiness, Haste and Mining',
    stats: [scaling('Maximum Health', 10), flat('Attack Speed', 20), flat('Lasermancy', 45)],
  },
  { path: 'gathering.b.0.b.0.b.0.b.0', name: 'Alchemy', stats: [flat('Flask Capacity', 3)] },
  { path: 'gathering.b.0.b.0.b.0.b.0.a', name: 'Intellect', stats: [scaling('Magic Damage', 15)] },
  { path: 'gathering.b.0.b.0.b.0.b.0.b', name: 'Strength', stats: [scaling('Physical Damage', 15)] },
  { path: 'gathering.b.0.b.0.b.0.b.1', name: 'Knowledge', stats: [scaling('Experience Gain', 5)] },
  { path: 'gathering.b.0.b.0.b.0.b.2', name: 'Luck', stats: [flat('Magic Find', 50)] },
  { path: 'gathering.b.0.b.0.c', name: 'Strength', stats: [scaling('Physical Damage', 5)] },
  { path: 'pve.a', name: 'Alchemy', stats: [flat('Flask Capacity', 1)] },
  {
    path: 'pve.a.0',
    name: 'Minor Buffing',
    ability: 'flask use: 50% chance of one of 25% bonus damage, 200 stability, 200% bonus health regen',
  },
  { path: 'pve.a.0.a', name: 'Accuracy and Critical', stats: [flat('Critical Hit', 6), flat('Critical Damage', 6)] },
  { path: 'pve.a.0.a.0', name: 'Leaping and Anti-Knockback', stats: [flat('Jump', 5), flat('Stability', 50)] },
  { path: 'pve.a.0.a.0.a', name: 'Greater Alchemic Power', ability: 'flask use: 10% chance of a random emblem effect' },
  { path: 'pve.a.0.a.0.a.0', name: 'Greater Alchemic Power 2.0', stats: [flat('Random Flask Emblem', 3)] },
  { path: 'pve.a.0.a.0.a.0.a', name: 'Greater Alchemic Power 3.0', stats: [flat('Random Flask Emblem', 3)] },
  { path: 'pve.a.0.a.1', name: 'Haste', stats: [scaling('Attack Speed', 3)] },
  { path: 'pve.a.0.a.1.a', name: 'Speed', stats: [flat('Movement Speed', 5)] },
  { path: 'pve.a.0.a.1.a.0', name: 'Flask Renewal', ability: 'flask use: 5% chance to regain a charge' },
  { path: 'pve.a.0.a.1.a.0.a', name: 'Speed', stats: [flat('Movement Speed', 5)] },
  { path: 'pve.a.0.a.1.a.0.b', name: 'Heartiness', stats: [scaling('Maximum Health', 15)] },
  { path: 'pve.a.0.a.1.a.0.b.0', name: 'Haste', stats: [scaling('Attack Speed', 6)] },
  {
    path: 'pve.a.0.a.1.a.0.b.1',
    name: 'Flask Renewal 2.0',
    overwrites: ['pve.a.0.a.1.a.0'],
    ability: 'flask use: 10% chance to regain a charge',
  },
  { path: 'pve.a.0.a.1.a.0.b.1.a', name: 'Alchemy', stats: [flat('Flask Capacity', 3)] },
  { path: 'pve.a.0.a.1.a.0.b.1.b', name: 'Alchemy', stats: [flat('Flask Capacity', 3)] },
  {
    path: 'pve.a.0.b',
    name: 'Minor Buffing Always',
    overwrites: ['pve.a.0'],
    ability: 'flask use: always one of 25% bonus damage, 200 stability, 200% bonus health regen',
  },
  { path: 'pve.a.0.b.0', name: 'Strength and Intellect', stats: [scaling('Magic Damage', 5), scaling('Physical Damage', 5)] },
  { path: 'pve.a.0.b.1', name: 'Protection', stats: [scaling('Damage Reduction', 8)] },
  { path: 'pve.a.0.b.2', name: 'Healing', stats: [scaling('Health Regen', 8)] },
  { path: 'pve.b', name: 'Haste', stats: [scaling('Attack Speed', 3)] },
  { path: 'pve.b.0', name: 'Draining Kiss', ability: 'damage dealt: 10% life leech' },
  { path: 'pve.b.0.a', name: 'Haste', stats: [scaling('Attack Speed', 6)] },
  { path: 'pve.b.0.a.0', name: 'Healing and Heartiness', stats: [flat('Health Regen', 175), scaling('Maximum Health', 14)] },
  { path: 'pve.b.0.a.0.a', name: 'Draining Kiss', overwrites: ['pve.b.0'], ability: 'damage dealt: 20% life leech' },
  { path: 'pve.b.0.a.0.a.0', name: 'Strength and Intellect', stats: [scaling('Physical Damage', 5), scaling('Magic Damage', 5)] },
  { path: 'pve.b.0.a.0.a.1', name: 'Haste', stats: [scaling('Attack Speed', 10)] },
  { path: 'pve.b.0.a.0.a.2', name: 'Accuracy', stats: [flat('Critical Hit', 10)] },
  { path: 'pve.b.0.a.1', name: 'Speed', stats: [flat('Movement Speed', 5)] },
  {
    path: 'pve.b.0.a.1.a',
    name: 'Bounty Hunt Boon',
    ability: 'five-star Sundered Uplands boss defeated: 10% Physical and Magic Damage for 4 h',
  },
  {
    path: 'pve.b.0.a.1.a.0',
    name: 'Bounty Hunt',
    overwrites: ['pve.b.0.a.1.a'],
    ability: 'five-star Sundered Uplands boss defeated: 15% Physical and Magic Damage for 4 h',
  },
  { path: 'pve.b.0.a.1.a.1', name: 'Light', stats: [flat('Light', 50)] },
  { path: 'pve.b.0.b', name: 'Accuracy', stats: [flat('Critical Hit', 10)] },
  { path: 'pve.b.0.b.0', name: 'Leaping and Anti-Knockback', stats: [flat('Jump', 5), flat('Stability', 50)] },
  { path: 'pve.b.0.b.0.a', name: 'Critical', stats: [flat('Critical Damage', 10)] },
  { path: 'pve.b.0.b.0.a.0', name: 'Light', stats: [flat('Light', 150)] },
  { path: 'pve.b.0.b.1', name: 'Alchemy', stats: [flat('Flask Capacity', 1)] },
  { path: 'pve.b.0.b.1.a', name: 'Depths Boon', ability: 'delve boss defeated: 20% damage reduction for 30 min' },
  {
    path: 'pve.b.0.b.1.a.0',
    name: 'Depths Boon 2.0',
    overwrites: ['pve.b.0.b.1.a'],
    ability: 'delve boss defeated: 25% damage reduction for 1 h',
  },
  { path: 'pve.b.0.b.1.a.1', name: 'Light', stats: [flat('Light', 50)] },
];
