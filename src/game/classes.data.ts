export type DamageType = 'Physical' | 'Magic';
export type Weapon = 'Sword' | 'Bow' | 'Gun' | 'Staff' | 'Spear' | 'Fist';

/** A class as the game files define it. Values are in display units. */
export interface ClassSheet {
  techName: string;
  name: string;
  shorts: readonly string[];
  damageType: DamageType;
  weapons: readonly Weapon[];
  attributes: readonly string[];
  /** One value per column of `CLASS_STATS`; null if the class does not have the stat. */
  stats: readonly (number | null)[];
  /** One value per column of `CLASS_BONUSES`, in percent. */
  bonuses: readonly number[];
  subclass: {
    name: string;
    description: string;
    /** One stat and its value at each of `SUBCLASS_LEVELS`. An absolute value replaces the stat instead of adding to it. */
    level: { stat: string; percentage: boolean; absolute?: boolean; values: readonly number[] };
    /** Effect text. Each `#` is a placeholder for one row of `figures`, which has a value per entry of `SUBCLASS_POWER_RANKS`. */
    power: { text: string; figures: readonly (readonly number[])[] };
  };
  abilities: readonly AbilitySheet[];
}

export interface AbilitySheet {
  name: string;
  /** File below `prefabs/`, without the extension. Absent for an ability that is maintained manually. */
  prefab?: string;
  icon?: string;
  type?: 'Active' | 'Passive' | 'Upgrade';
  /** False: the ability is in the game files but the class no longer uses it. */
  active?: boolean;
  /** Name, flat damage, share of the damage stat. Names repeat. */
  stages?: readonly (readonly [name: string, base: number, multiplier: number])[];
}

/** Columns of `stats`: the name, and true if the game displays a percentage. */
export const CLASS_STATS = [
  ['Physical Damage', false],
  ['Magic Damage', false],
  ['Maximum Health', false],
  ['Maximum Health %', true],
  ['Energy', false],
  ['Health Regen', false],
  ['Energy Regen', false],
  ['Movement Speed', false],
  ['Attack Speed', true],
  ['Jump', false],
  ['Critical Hit', true],
  ['Critical Damage', true],
  ['Light', false],
] as const;

/** Columns of `bonuses`. */
export const CLASS_BONUSES = ['Physical Damage', 'Magic Damage', 'Health Regen'] as const;

export const SUBCLASS_LEVELS = [1, 10, 15, 20, 25, 30] as const;

/** Power ranks at which the value of a subclass ability increases. */
export const SUBCLASS_POWER_RANKS = [1, 5000, 10000, 15000, 20000, 25000, 30000, 35000, 40000] as const;

/** All classes, by display name. */
export const CLASS_SHEETS: readonly ClassSheet[] = [
  {
    techName: 'bard',
    name: 'Bard',
    shorts: ['BD'],
    damageType: 'Magic',
    weapons: ['Fist'],
    attributes: [],
    stats: [100, 2376, 4850, 0, 100, 25, 136, 46, 131, 4, 13.5, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Personal Song',
      description: 'Attacking cycles three self-buffs: Jubilant, Peaceful, Battle.',
      level: { stat: 'Critical Damage', percentage: true, values: [1, 3, 6, 9, 12, 15] },
      power: {
        text: '+#% movement speed and maximum energy; #% of damage dealt returned as health; +#% attack speed and critical damage (one song at a time, 3 s each, 15 s cooldown)',
        figures: [
          [2, 4, 6, 8, 10, 12, 15, 17.5, 20],
          [1, 1, 2, 2, 3, 4, 5, 6.5, 7.5],
          [2, 4, 6, 8, 10, 12, 15, 17.5, 20],
        ],
      },
    },
    abilities: [
      { name: 'Basic attack', prefab: 'abilities/bard/basic_attack' },
      { name: 'Nimble Dance', prefab: 'abilities/bard/nimble_dance', stages: [['Nimble Dance', 0, 2]] },
      { name: 'Melody', prefab: 'abilities/bard/passive' },
      { name: 'Singing Crystal', prefab: 'abilities/bard/singing_crystal', stages: [['Singing Crystal Effect Explosion', 10, 3.5]] },
      { name: 'Epic Riff', prefab: 'abilities/bard/epic_riff', stages: [['Epic Riff Buff', 10, 4]] },
      { name: 'Jubilant Song', prefab: 'abilities/bard/jubilant_song' },
      { name: 'Peaceful Song', prefab: 'abilities/bard/peaceful_song' },
      { name: 'Bardsong', prefab: 'abilities/bard/bardsong' },
    ],
  },
  {
    techName: 'adventurer',
    name: 'Boomeranger',
    shorts: ['BR', 'Boom'],
    damageType: 'Physical',
    weapons: ['Bow', 'Sword'],
    attributes: [],
    stats: [3080, 100, 6150, 30, null, 3025, null, 43, 110, 3, 2, 50, 0],
    bonuses: [10, 0, 30],
    subclass: {
      name: 'Fae Companion',
      description: 'Companion that heals its owner at 20% health; 30 s cooldown.',
      level: { stat: 'Critical Damage', percentage: true, values: [1, 2, 4, 8, 12, 20] },
      power: { text: 'heals #%', figures: [[30, 32, 34, 36, 38, 40, 42, 45, 50]] },
    },
    abilities: [
      {
        name: 'Boomerangs!!!!',
        prefab: 'abilities/adventurer/revamp/boomerang_bow',
        icon: 'icon_adventurer_boomerang',
        type: 'Active',
        stages: [['Boomerang Bullet Bow', 10, 6.5]],
      },
      {
        name: 'Boomerang of the Wind',
        prefab: 'abilities/adventurer/revamp/boomerang_melee',
        icon: 'icon_adventurer_boomerang',
        type: 'Active',
        stages: [
          ['Boomerang Bullet Melee', 10, 0],
          ['Boomerang Damage Effect Melee', 0, 10],
        ],
      },
      {
        name: 'Final Fairy',
        prefab: 'abilities/adventurer/revamp/passive_dummy',
        icon: 'icon_adventurer_passive',
        type: 'Passive',
        stages: [
          ['Basic Attack Melee Third Combo', 10, 4.5],
          ['Basic Melee Cyclone Damage', 0, 2.5],
        ],
      },
      {
        name: 'Big Bomb',
        prefab: 'abilities/adventurer/revamp/bomb_bow',
        icon: 'icon_adventurer_bomb',
        type: 'Active',
        stages: [
          ['Bomb Effect Bomb Trigger Bow', 0, 0.5],
          ['Bomb Effect Explosion Bow', 10, 8.5],
        ],
      },
      {
        name: 'Tiny Bombs',
        prefab: 'abilities/adventurer/revamp/bomb_melee',
        icon: 'icon_adventurer_bomb',
        type: 'Upgrade',
        stages: [
          ['Bomb Effect Bomb Trigger Melee', 0, 0.5],
          ['Bomb Effect Explosion Melee', 10, 3.5],
        ],
      },
      {
        name: 'Mysterious Urn',
        prefab: 'abilities/adventurer/revamp/random_throw',
        icon: 'icon_adventurer_urn',
        type: 'Active',
        stages: [
          ['Random Throw Effect Explosion', 10, 8],
          ['Random Throw Effect Bomb Explosion', 10, 6.5],
          ['Random Throw Effect Minion Melee', 10, 1],
          ['Random Throw Effect Minion Melee Big Chicken', 10, 4],
          ['Random Throw Effect Phoenix Strike', 5, 1.75],
          ['Random Throw Effect Multi Pot Explosion', 10, 8],
          ['Random Throw Effect Minion Chuck Pinzo Attack Melee', 0, 1],
          ['Random Throw Effect Minion Chuck Pinzo Slam', 50, 2],
          ['Random Throw Effect Minion Chuck Pinzo Winduppunch', 100, 12],
          ['Random Throw Effect Minion Luna Stars Sword Melee', 100, 10],
          ['Random Throw Effect Minion Luna Stars Sword Melee 1', 100, 10],
          ['Random Throw Effect Minion Jellyfish Melee 1', 10, 10],
          ['Random Throw Effect Minion Jellyfish Melee 2', 10, 10],
          ['Random Throw Effect Minion Jellyfish Spin', 100, 15],
          ['Random Throw Effect Phoenix Phlame', 0, 1.5],
          ['Random Throw Effect Phoenix Ondeath Explosion', 10, 5.5],
          ['Random Throw Effect Minion Luna Stars Fling Star P1 Bullet', 150, 15],
          ['Random Throw Big Pot Effect Explosion', 10, 35],
        ],
      },
      { name: 'Doubloon', prefab: 'abilities/adventurer/revamp/random_throw_effect_energy_powerup' },
      {
        name: 'Big Bawk Bomb',
        prefab: 'abilities/adventurer/revamp/bawk_bomb_bow',
        active: false,
        stages: [
          ['Bawk Bomb Effect Explosion Bow', 10, 9.5],
          ['Bawk Bomb Effect Minion Attack Bow', 5, 4.5],
        ],
      },
      {
        name: 'Tiny Bawk Bombs',
        prefab: 'abilities/adventurer/revamp/bawk_bomb_melee',
        active: false,
        stages: [['Bawk Bomb Effect Explosion Melee', 10, 4.5]],
      },
      {
        name: 'Basic Attack',
        icon: 'icon_styles_gun',
        type: 'Active',
        active: false,
        stages: [
          ['Sword', 300, 1.7],
          ['Bow', 250, 1.4],
        ],
      },
    ],
  },
  {
    techName: 'candybarbarian',
    name: 'Candy Barbarian',
    shorts: ['CB', 'Barb'],
    damageType: 'Physical',
    weapons: ['Sword'],
    attributes: [],
    stats: [2900, 100, 4970, 20, 100, 2575, 100, 40, 100, 3, 2, 50, 0],
    bonuses: [30, 0, 0],
    subclass: {
      name: 'Sugar Rush',
      description:
        'Dealing damage may drop candy: either doubled attack speed with +20 movement speed, or a 10% maximum-health heal; 15 s cooldown.',
      level: { stat: 'Stability', percentage: false, values: [5, 15, 30, 50, 75, 105] },
      power: { text: '#% chance per damage dealt', figures: [[22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40, 50]] },
    },
    abilities: [
      {
        name: 'Vanilla Swirlwind',
        prefab: 'abilities/candybarbarian/swirlwind',
        icon: 'ico_barbarian_whirlwind_01',
        type: 'Active',
        stages: [['Swirlwind', 10, 7]],
      },
      { name: 'Gum Drop', prefab: 'abilities/candybarbarian/passive_spawncandy', icon: 'ico_barbarian_passive_01', type: 'Passive' },
      {
        name: 'Sugar Crash',
        prefab: 'abilities/candybarbarian/sugarcrash',
        icon: 'ico_barbarian_crash_01',
        type: 'Active',
        stages: [
          ['Sugarcrash', 10, 6.5],
          ['Sugarcrash', 10, 0],
        ],
      },
      {
        name: 'Eis-Crom Cone',
        prefab: 'abilities/candybarbarian/eiscromcone',
        icon: 'ico_barbarian_cromcone_01',
        type: 'Active',
        stages: [['Eiscromcone Effect Explosion', 10, 16.75]],
      },
      { name: 'Sweet Candy', prefab: 'abilities/candybarbarian/healthcandy' },
      { name: 'Sour Candy', prefab: 'abilities/candybarbarian/ragecandy' },
      { name: 'Basic Attack', icon: 'icon_styles_gun', type: 'Active', active: false, stages: [['Damage', 150, 1.85]] },
      { name: "Scoop n' Gloop", icon: 'ico_barbarian_crash_01', type: 'Upgrade', active: false, stages: [['Damage', 50, 4.5]] },
    ],
  },
  {
    techName: 'chloromancer',
    name: 'Chloromancer',
    shorts: ['CM', 'Chloro'],
    damageType: 'Magic',
    weapons: ['Staff'],
    attributes: [],
    stats: [100, 2376, 4850, 20, 100, 3075, 147, 40, 100, 4, 2, 50, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Prickly Persona',
      description: 'Being hit may raise thorns that reflect damage to the attacker.',
      level: { stat: 'Maximum Health', percentage: true, values: [1, 2, 4, 7, 10, 15] },
      power: {
        text: '#% chance when an NPC hits; lasts # s; reflects 5000% (NPCs only, never Shadow Titans); 30 s cooldown',
        figures: [
          [20, 20, 20, 20, 20, 20, 20, 65, 75],
          [3, 4, 5, 6, 7, 8, 9, 10, 12],
        ],
      },
    },
    abilities: [
      {
        name: 'Mini Bloom',
        prefab: 'abilities/chloromancer/passive',
        stages: [
          ['Seedling Effect Death', 0, 0.5],
          ['Seedling Effect Flower Fullhealth Explosion', 10, 3.75],
        ],
      },
      {
        name: 'Green Gatling',
        prefab: 'abilities/chloromancer/seedling',
        stages: [
          ['Chloromancer Gatling Bullet', 0, 1.2],
          ['Seedling Lasher Effect Bulb Fullhealth Aoe Effect Damage', 0, 1],
          ['Big Chloromancer Gatling Bullet', 0, 2.5],
        ],
      },
      {
        name: 'Leafy Lasher',
        prefab: 'abilities/chloromancer/seedling_lasher',
        stages: [['Big Seedling Lasher Effect Bulb Fullhealth Aoe Effect Damage', 0, 2]],
      },
      { name: 'Empowered Growth', prefab: 'abilities/chloromancer/spawn_random_seedlings' },
    ],
  },
  {
    techName: 'dinotamer',
    name: 'Dino Tamer',
    shorts: ['DT', 'Dino'],
    damageType: 'Magic',
    weapons: ['Gun'],
    attributes: [],
    stats: [100, 2376, 4850, 20, null, 3025, null, 40, 131, 4, 2, 50, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Research Net',
      description: 'Critical hits may root the target briefly.',
      level: { stat: 'Attack Speed', percentage: true, values: [0.5, 1, 2, 3, 4, 5] },
      power: {
        text: '#% chance per critical hit; roots # s; 8 s cooldown',
        figures: [
          [20, 22, 24, 26, 28, 30, 32, 40, 45],
          [2, 2, 2, 2, 2, 2, 2, 3, 4],
        ],
      },
    },
    abilities: [
      { name: 'Dino Buddy Food', prefab: 'abilities/dinotamer/passive_spawnmeatenergy_inactive' },
      {
        name: 'Clever Snare',
        prefab: 'abilities/dinotamer/clever_snare',
        stages: [
          ['Clever Snare Effect Dot', 0, 3.5],
          ['Clever Snare Effect Dot', 0, 4.75],
        ],
      },
      { name: 'Dino Buddy', prefab: 'abilities/dinotamer/meat_summon' },
      {
        name: 'Dino Mount',
        prefab: 'abilities/dinotamer/dinomount',
        stages: [
          ['Basic Attack Bullet', 10, 2.75],
          ['Basic Attack Bullet', 10, 2.5],
          ['Basic Attack Effect Aoe', 0, 2],
        ],
      },
    ],
  },
  {
    techName: 'dracolyte',
    name: 'Dracolyte',
    shorts: ['DL', 'Draco'],
    damageType: 'Magic',
    weapons: ['Staff'],
    attributes: ['Infinite Attack Speed'],
    stats: [100, 2440, 4850, 20, 100, 25, 136, 40, null, 4, 2, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Burning Zealot',
      description: 'Physical hits may set the target on fire: a tick every 0.1 s for 3 s.',
      level: { stat: 'Reduced Cooldown', percentage: true, values: [1, 2, 3, 4, 5, 7] },
      power: {
        text: '#% chance per physical hit; #% of Magic Damage',
        figures: [
          [15, 16, 17, 18, 19, 20, 21, 25, 30],
          [5, 8, 12, 16, 20, 25, 28, 30, 40],
        ],
      },
    },
    abilities: [
      {
        name: 'Spit Fire',
        prefab: 'abilities/dracolyte/dragon',
        stages: [
          ['Dragon Effect Shot 2', 10, 2.3],
          ['Dragon Effect Explosion 2', 10, 4.15],
        ],
      },
      { name: 'Fireborn', prefab: 'abilities/dracolyte/passive_master_buff' },
      { name: "Lil' Dragon", prefab: 'abilities/dracolyte/dragon_familiar' },
      {
        name: 'Burnt Offering',
        prefab: 'abilities/dracolyte/idol_bomb',
        stages: [
          ['Idol Bomb Effect Trigger', 0, 0.5],
          ['Idol Bomb Effect Explosion', 10, 5],
        ],
      },
      { name: 'Avatar of Flame', prefab: 'abilities/dracolyte/dragonman' },
    ],
  },
  {
    techName: 'faetrickster',
    name: 'Fae Trickster',
    shorts: ['FT', 'Fae'],
    damageType: 'Magic',
    weapons: ['Staff'],
    attributes: [],
    stats: [100, 2376, 4850, 0, 100, 25, 136, 40, 100, 4, 13.5, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Sparkle Grenade',
      description: 'Critical hits may spawn a bomb that damages and stuns for 1.5 s.',
      level: { stat: 'Flying Speed', percentage: false, absolute: true, values: [101, 102, 103, 104, 105, 110] },
      power: {
        text: '#% chance per critical hit; #% of Magic Damage',
        figures: [
          [20, 21, 22, 23, 24, 25, 26, 30, 40],
          [150, 175, 200, 250, 275, 300, 350, 400, 450],
        ],
      },
    },
    abilities: [
      { name: 'Ego Blast', prefab: 'abilities/trickster/passive_attack_swap' },
      { name: 'Blink', prefab: 'abilities/trickster/blink' },
      { name: 'Glitterbomb', prefab: 'abilities/trickster/glitterbomb', stages: [['Glitterbomb Effect Explosion', 0, 6.75]] },
      { name: 'Faerie Dance', prefab: 'abilities/trickster/summon_turrets', stages: [['Summon Turrets Effect Turret Bullet', 10, 4.5]] },
    ],
  },
  {
    techName: 'gunslinger',
    name: 'Gunslinger',
    shorts: ['GS'],
    damageType: 'Magic',
    weapons: ['Gun'],
    attributes: [],
    stats: [100, 2376, 4850, 0, 100, 25, 136, 40, 100, 4, 13.5, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Rain Destruction',
      description: 'More damage dealt while airborne.',
      level: { stat: 'Jump', percentage: false, values: [1, 2, 3, 4, 6, 10] },
      power: { text: '+#% outgoing damage while not standing on a block', figures: [[2.5, 3, 3.5, 4, 4.5, 5, 5.5, 7.5, 10]] },
    },
    abilities: [
      {
        name: 'Lucky Shot',
        prefab: 'abilities/gunslinger/revamp/passive_instant_charge_shot',
        icon: 'ico_gunslinger_luckyshot_01',
        type: 'Passive',
        stages: [['Charge Shot Snipe Effect Damage', 0, 7.5]],
      },
      { name: 'Charged Sniper Shot', prefab: 'abilities/gunslinger/revamp/charge_shot' },
      {
        name: 'Charged Shot',
        prefab: 'abilities/gunslinger/revamp/charge_shot_normal',
        icon: 'ico_gunslinger_chargeshot_01',
        type: 'Active',
        stages: [
          ['Charge Shot Nocharge Bullet', 10, 2],
          ['Charge Shot Partialcharge Bullet', 10, 3.5],
          ['Charge Shot Fullcharge Bullet', 0, 9.5],
          ['Charge Shot Partialcharge Explosion', 10, 1.75],
          ['Charge Shot Fullcharge Explosion', 10, 3.5],
        ],
      },
      {
        name: 'Blast Jump',
        prefab: 'abilities/gunslinger/revamp/blast_jump',
        icon: 'ico_gunslinger_blastjump_01',
        type: 'Active',
        stages: [['Blast Jump Explosion', 10, 6]],
      },
      { name: 'Run and Gun', prefab: 'abilities/gunslinger/revamp/fast_attack', icon: 'ico_gunslinger_runandgun_01', type: 'Passive' },
      { name: 'Basic Attack', icon: 'icon_styles_gun', type: 'Active', active: false, stages: [['Damage', 200, 1.33]] },
      {
        name: 'Overcharged',
        icon: 'ico_gunslinger_runandgun_01',
        type: 'Upgrade',
        active: false,
        stages: [
          ['Hit', 0, 4],
          ['AoE', 25, 3.5],
        ],
      },
    ],
  },
  {
    techName: 'icemage',
    name: 'Ice Sage',
    shorts: ['IS'],
    damageType: 'Magic',
    weapons: ['Staff'],
    attributes: [],
    stats: [100, 2376, 4850, 0, 100, 25, 136, 40, 100, 4, 13.5, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Glacial Ward',
      description:
        'Being hit may raise a 5 s shield: more movement speed, Magic Damage and attack speed; absorbs hits above half of health.',
      level: { stat: 'Magic Damage', percentage: false, values: [10, 60, 160, 300, 500, 750] },
      power: {
        text: '#% chance per hit taken; stats +#%; 30 s cooldown',
        figures: [
          [20, 21, 22, 23, 24, 25, 26, 30, 35],
          [5, 8, 11, 14, 17, 20, 23, 25, 35],
        ],
      },
    },
    abilities: [
      { name: 'Ice Crash', prefab: 'abilities/icemage/icicledrop', stages: [['Icicledrop Effect Explosion', 10, 7.5]] },
      { name: 'Coldhearted', prefab: 'abilities/icemage/passive_icewalking' },
      {
        name: 'The Big Chill',
        prefab: 'abilities/icemage/freezeblast',
        stages: [
          ['Freezeblast Effect Damage', 0, 4],
          ['Freezeblast Effect Damage', 0, 0.69],
        ],
      },
      { name: 'Frozen Ward', prefab: 'abilities/icemage/iceward' },
      { name: 'Pain Freeze', prefab: 'abilities/icemage/passive_icewalking_highlightslot', active: false },
    ],
  },
  {
    techName: 'knight',
    name: 'Knight',
    shorts: ['KT'],
    damageType: 'Physical',
    weapons: ['Sword'],
    attributes: [],
    stats: [3202, 100, 6150, 30, 100, 3025, 100, 40, 100, 3, 2, 50, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Mounted Cavalry',
      description: 'Faster on ground mounts; a shield appears at low health.',
      level: { stat: 'Flask Capacity', percentage: false, values: [1, 2, 3, 4, 5, 6] },
      power: {
        text: 'ground mount speed #; low-health shield with #% damage reduction',
        figures: [
          [95, 97, 100, 105, 110, 120, 125, 125, 125],
          [25, 30, 35, 45, 55, 65, 65, 75, 85],
        ],
      },
    },
    abilities: [
      {
        name: 'Retribution',
        prefab: 'abilities/knight/passive_target_debuff',
        stages: [
          ['Basic Melee Damage Override 1', 10, 7],
          ['Basic Melee Damage Override 2', 10, 9.25],
          ['Basic Melee Damage Override 3', 10, 13.5],
        ],
      },
      { name: 'Smash', prefab: 'abilities/knight/smash', stages: [['Smash', 10, 8.5]] },
      {
        name: 'Charge!',
        prefab: 'abilities/knight/charge',
        stages: [
          ['Charge', 10, 6.5],
          ['Charge', 10, 5],
        ],
      },
      { name: 'Iron Will', prefab: 'abilities/knight/shield_heal' },
    ],
  },
  {
    techName: 'lunarlancer',
    name: 'Lunar Lancer',
    shorts: ['LL', 'Lunar'],
    damageType: 'Physical',
    weapons: ['Spear'],
    attributes: [],
    stats: [2376, 100, 4850, 0, 100, 25, 100, 56, 131, 5, 2, 75, 0],
    bonuses: [30, 0, 0],
    subclass: {
      name: 'Sorta Crazy',
      description: 'Combat may trigger a 6 s transformation that doubles attack speed.',
      level: { stat: 'Physical Damage', percentage: false, values: [10, 60, 160, 300, 500, 750] },
      power: {
        text: '#% chance per damage dealt; +#% damage',
        figures: [
          [20, 21, 22, 23, 24, 25, 26, 30, 35],
          [5, 6, 7, 8, 9, 10, 11, 15, 20],
        ],
      },
    },
    abilities: [
      {
        name: 'Grapple',
        prefab: 'abilities/lunarlancer/revamp/spear_throw_grapple',
        stages: [['Spear Throw Grapple Effect Explosion', 10, 3.5]],
      },
      { name: 'Lunacy', prefab: 'abilities/lunarlancer/revamp/madness' },
      { name: 'Lunar Leap', prefab: 'abilities/lunarlancer/revamp/lunar_leap', stages: [['Lunar Leap Explosion', 10, 3.5]] },
      {
        name: 'Lunarform',
        prefab: 'abilities/lunarlancer/revamp/moon_blessing_delegate',
        stages: [
          ['Two Hit Combo Transformed', 10, 6.8],
          ['Two Hit Combo Transformed Effect 2Nd Hit Override', 10, 7.5],
        ],
      },
      {
        name: 'Lunar Infused Grapple',
        prefab: 'abilities/lunarlancer/revamp/spear_throw_grapple_buffed',
        stages: [['Spear Throw Grapple Effect Explosion Buffed', 10, 8]],
      },
      {
        name: 'Blessing of the Moon',
        prefab: 'abilities/lunarlancer/revamp/moon_blessing_transformed',
        stages: [
          ['Moon Blessing Transformed Spear Explosion', 10, 13.5],
          ['Moon Blessing Aoe Npc Effect', 0, 1.5],
          ['Moon Blessing Spawn Meteor Effect Trigger', 0, 0.5],
          ['Moon Blessing Spawn Meteor Effect Explosion', 10, 3.5],
        ],
      },
      {
        name: 'Eclipse Spear',
        prefab: 'abilities/lunarlancer/revamp/spear_throw_transformed_throw',
        stages: [['Spear Throw Transformed Effect Spear', 10, 5.5]],
      },
      { name: 'Lunar Slam', prefab: 'abilities/lunarlancer/revamp/lunar_leap_transformed', stages: [['Lunar Leap Transformed', 10, 11.5]] },
    ],
  },
  {
    techName: 'neonninja',
    name: 'Neon Ninja',
    shorts: ['NN', 'Ninja'],
    damageType: 'Physical',
    weapons: ['Sword'],
    attributes: [],
    stats: [2376, 100, 4850, 0, 100, 25, 136, 46, 131, 3, 2, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Assassinate',
      description: 'May deal bonus damage to targets below 20% health.',
      level: { stat: 'Jump', percentage: false, values: [1, 2, 3, 4, 6, 10] },
      power: {
        text: '#% chance below 20% target health; #% of Physical Damage',
        figures: [
          [20, 22, 24, 26, 28, 30, 32, 34, 36],
          [50, 100, 150, 200, 250, 300, 350, 400, 550],
        ],
      },
    },
    abilities: [
      { name: 'Shadow Flip', prefab: 'abilities/neonninja/shadow_flip' },
      { name: 'Shining Star', prefab: 'abilities/neonninja/shuriken' },
      { name: 'Stasis Blade', prefab: 'abilities/neonninja/stasis_blade', stages: [['Stasis Blade', 10, 4.5]] },
      { name: 'Final Technique', prefab: 'abilities/neonninja/mark_for_death' },
    ],
  },
  {
    techName: 'piratelord',
    name: 'Pirate Captain',
    shorts: ['PC', 'Pirate'],
    damageType: 'Magic',
    weapons: ['Gun'],
    attributes: [],
    stats: [100, 2376, 4850, 20, 100, 61, null, 43, 100, 3, 4.5, 165, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Naval Gunfire',
      description: 'Dealing damage may call a falling cannonball.',
      level: { stat: 'Magic Find', percentage: false, values: [10, 20, 30, 40, 50, 70] },
      power: { text: '#% chance per damage dealt; 30 s cooldown', figures: [[20, 21, 22, 23, 24, 25, 26, 30, 35]] },
    },
    abilities: [
      { name: 'Plunderbuss', prefab: 'abilities/piratelord/passive_spawndoubloon' },
      { name: 'First Mate', prefab: 'abilities/piratelord/cannon', stages: [['Cannon Bullet', 10, 3]] },
      { name: 'Parrot', prefab: 'abilities/piratelord/parrot_familiar' },
      { name: 'Pretend Pirate', prefab: 'abilities/piratelord/pirate_dummy', stages: [['Pirate Dummy Effect Explosion', 10, 3.5]] },
      { name: "Man o' War", prefab: 'abilities/piratelord/man_o_war', stages: [['Man O War Explosion', 10, 6.5]] },
      { name: 'Doubloon', prefab: 'abilities/piratelord/doubloon' },
    ],
  },
  {
    techName: 'spirittank',
    name: 'Revenant',
    shorts: ['RV', 'Rev'],
    damageType: 'Physical',
    weapons: ['Spear'],
    attributes: [],
    stats: [3230, 100, 5310, 45, null, 3225, null, 40, 100, 3, 2, 50, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Hatred of the Oathbound',
      description: 'Attacks that land return health.',
      level: { stat: 'Incoming Damage', percentage: true, values: [-1, -2, -3, -4, -5, -6] },
      power: { text: 'returns #%', figures: [[1, 1.5, 2, 2.5, 3, 3.5, 4, 6, 8]] },
    },
    abilities: [
      {
        name: 'Vengeful Spirits',
        prefab: 'abilities/spirittank/passive_spiritcharge',
        stages: [
          ['Passive Minion Melee', 10, 1.5],
          ['Passive Minion Slam', 10, 5.5],
        ],
      },
      { name: 'Bulwark Bash', prefab: 'abilities/spirittank/active_smash', stages: [['Active Smash', 10, 9.5]] },
      { name: 'Spirit Spears', prefab: 'abilities/spirittank/active_spears', stages: [['Active Spears Periodic Npc Effect', 0, 4]] },
      {
        name: 'Spirit Storm',
        prefab: 'abilities/spirittank/ultimate_spirit_storm',
        stages: [
          ['Ultimate Spirit Storm Aoe Npc Damage', 0, 3.15],
          ['Ultimate Spirit Storm Explosion', 0, 2],
        ],
      },
    ],
  },
  {
    techName: 'shadowhunter',
    name: 'Shadow Hunter',
    shorts: ['SH'],
    damageType: 'Physical',
    weapons: ['Bow'],
    attributes: ['Infinite Attack Speed'],
    stats: [2376, 100, 4850, 0, 100, 25, 136, 40, 100, 4, 13.5, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Searing Light',
      description: 'Magic hits may apply a burn: a tick every 0.1 s for 3 s; 10 s cooldown.',
      level: { stat: 'Magic Damage', percentage: false, values: [10, 60, 160, 300, 500, 750] },
      power: {
        text: '#% chance per magic hit; #% of Physical Damage',
        figures: [
          [15, 16, 17, 18, 19, 20, 21, 25, 30],
          [5, 8, 11, 14, 17, 20, 25, 30, 40],
        ],
      },
    },
    abilities: [
      {
        name: 'Shadow Seekers',
        prefab: 'abilities/shadowhunter/revamp/seeker_minion_fuelmanager',
        stages: [
          ['Seeker Effect Explosion', 10, 3.5],
          ['Seeker Effect Explosion', 10, 3.5],
          ['Seeker Effect Explosion', 10, 4.5],
          ['Seeker Effect Explosion', 10, 6],
          ['Seeker Effect Explosion', 10, 7.5],
          ['Seeker Effect Explosion', 10, 9],
        ],
      },
      {
        name: 'Dark Whispers',
        prefab: 'abilities/shadowhunter/revamp/passive_shadowwhispers',
        stages: [
          ['Basic Attack Bullet Damage', 0, 3.75],
          ['Basic Attack Fast Bullet Damage', 0, 2],
          ['Shadowmark Basic Fast Explosion Explosion', 10, 1],
        ],
      },
      {
        name: 'Sun Snare',
        prefab: 'abilities/shadowhunter/revamp/sun_snare',
        stages: [
          ['Sun Snare Effect Explosion', 10, 3.5],
          ['Sun Snare Effect Trigger', 0, 0.5],
        ],
      },
      {
        name: 'Arrow of the Goddess',
        prefab: 'abilities/shadowhunter/arrowofthegoddess',
        active: false,
        stages: [
          ['Shadowmark Normal Effect Damage', 10, 15],
          ['Radiantarrow Normal Effect Charged Damage', 10, 10],
          ['Shadowmark Ultimate Effect Damage', 10, 32],
          ['Radiantarrow Ultimate Effect Charged Damage', 10, 9.5],
          ['Basic Attack Fast Bullet Damage', 0, 2.25],
          ['Shadowmark Basic Fast Explosion Explosion', 10, 10],
        ],
      },
      { name: 'Radiant Arrow', prefab: 'abilities/shadowhunter/radiantarrow', active: false },
    ],
  },
  {
    techName: 'solarion',
    name: 'Solarion',
    shorts: ['SL', 'Sol'],
    damageType: 'Physical',
    weapons: ['Bow'],
    attributes: [],
    stats: [2376, 100, 6030, 30, 100, 3025, 100, 40, 131, 4, 1, 50, 140],
    bonuses: [10, 0, 30],
    subclass: {
      name: 'Phoenix Fire',
      description: 'Basic attacks may explode and leave a damage-over-time effect that restores energy.',
      level: { stat: 'Light', percentage: false, values: [5, 15, 30, 55, 90, 140] },
      power: {
        text: '#% chance per damage dealt; #% of Physical Damage, then #% every 0.5 s for 2.5 s',
        figures: [
          [25, 25, 25, 25, 25, 33, 33, 33, 40],
          [100, 125, 150, 200, 225, 250, 275, 300, 350],
          [50, 50, 50, 50, 75, 75, 75, 85, 100],
        ],
      },
    },
    abilities: [
      {
        name: 'Solar Flare',
        prefab: 'abilities/solarion/solar_flare',
        stages: [
          ['Solar Flare Bullet Explosion 01', 10, 0.5],
          ['Solar Flare Bullet Explosion 02', 10, 1],
          ['Solar Flare Bullet Explosion 03', 10, 1.5],
          ['Solar Flare Sun Burn', 0, 1.5],
        ],
      },
      {
        name: 'Phoenix Radiance',
        prefab: 'abilities/solarion/passive',
        stages: [
          ['Familiar Phoenix Strike', 5, 1.75],
          ['Familiar Phoenix Phlame', 0, 1.5],
          ['Familiar Egg Effect Fullhealth Explosion', 10, 5.5],
          ['Familiar Egg Effect Death', 10, 0.5],
        ],
      },
      {
        name: 'Guiding Light',
        prefab: 'abilities/solarion/guiding_light',
        stages: [
          ['Guiding Light Beacon', 0, 1],
          ['Guiding Light Searing Glare', 0, 1.5],
        ],
      },
      { name: 'Prismatic Blast', prefab: 'abilities/solarion/prismatic_burst', stages: [['Prismatic Burst Explosion', 25, 4]] },
    ],
  },
  {
    techName: 'tombraiser',
    name: 'Tomb Raiser',
    shorts: ['TR'],
    damageType: 'Magic',
    weapons: ['Staff'],
    attributes: ['Infinite Attack Speed'],
    stats: [100, 2376, 4850, 20, 100, 1495, 147, 40, null, 3, 2, 50, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Corpse Run',
      description: 'Fallen enemies may rise as one random minion; 30 s cooldown.',
      level: { stat: 'Critical Hit', percentage: true, values: [0.5, 1, 1.5, 2.5, 3.5, 5.5] },
      power: {
        text: 'chance of a random minion; raised chance of the largest minion; shorter cooldown (figures not published)',
        figures: [],
      },
    },
    abilities: [
      { name: 'Bonetourage', prefab: 'abilities/tombraiser/primary_base', stages: [['Throw Minion Effect Minion Melee', 10, 2.6]] },
      { name: "Banshee's Boon", prefab: 'abilities/tombraiser/ghost_form' },
      {
        name: 'Grave Goliath',
        prefab: 'abilities/tombraiser/ultimate_minion',
        stages: [
          ['Ultimate Minion Effect Minion Melee', 10, 1.3],
          ['Ultimate Minion Effect Minion Slam', 10, 3.6],
        ],
      },
    ],
  },
  {
    techName: 'crimefighter',
    name: 'Vanguardian',
    shorts: ['VG', 'Vang'],
    damageType: 'Physical',
    weapons: ['Fist'],
    attributes: [],
    stats: [2976, 100, 5750, 20, 160, 25, 100, 40, 100, 5, 2, 75, 0],
    bonuses: [0, 0, 0],
    subclass: {
      name: 'Up and Away',
      description: 'Gliding charges the character; landing sends a shockwave forward.',
      level: { stat: 'Jump', percentage: false, values: [1, 2, 3, 4, 6, 10] },
      power: { text: 'shockwave #% of Physical or Magic Damage', figures: [[100, 150, 200, 250, 300, 350, 400, 600, 800]] },
    },
    abilities: [
      {
        name: 'Touchdown',
        prefab: 'abilities/crimefighter/passive',
        stages: [
          ['Basic Attack Ranged Bullet', 10, 2.8],
          ['Basic Attack Ranged Bullet Burst', 10, 4.5],
          ['Fast Attack Ranged Bullet Burst', 10, 4.5],
          ['Divebomb Explosion Small', 10, 6],
        ],
      },
      { name: 'WIP Basic Attack', prefab: 'abilities/crimefighter/basic_attack', stages: [['Basic Attack Melee Third Combo', 10, 4.5]] },
      { name: 'Force Flash', prefab: 'abilities/crimefighter/super_buff_melee', stages: [['Super Buff Melee Explosion', 10, 2]] },
      { name: 'Fired Up', prefab: 'abilities/crimefighter/super_buff_ranged' },
      { name: 'Laser Leap', prefab: 'abilities/crimefighter/transform' },
      { name: 'Plasma Blast', prefab: 'abilities/crimefighter/energy_blast_melee', stages: [['Energy Blast Ranged Explosion', 10, 7]] },
      { name: 'Eyebeam', prefab: 'abilities/crimefighter/eye_beam_ranged', stages: [['Eye Beam Ranged', 0, 8]] },
      { name: "Hero's Charge", prefab: 'abilities/crimefighter/transform_charge' },
    ],
  },
];
