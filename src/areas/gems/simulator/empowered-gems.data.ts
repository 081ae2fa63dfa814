import type { AbilityId, TierId } from '../gem.data.ts';

/** A stat change of an ability: `amount` as stored by the game, `value` as displayed (for Multiply: (amount - 1) x 100). */
interface AbilityStat {
  name: string;
  stat: string;
  op: 'Add' | 'Multiply' | 'MultiplySum';
  value: number;
  amount: number;
  prefab: string;
}

/** One hit of an ability; `multiplier` 3.5 means 350 % of weapon damage. */
interface AbilityStage {
  name: string;
  prefab: string;
  base: number;
  multiplier: number;
}

/** A named Empowered gem, either general (with an ability id) or for one class. */
export interface EmpoweredGemSheet {
  slug: string;
  name: string;
  effect: string;
  abilityId?: AbilityId;
  className?: string;
  /** Defaults to Air, Fire and Water. */
  elements?: readonly string[];
  /** Defaults to every tier. */
  tiers?: readonly TierId[];
  stats?: readonly AbilityStat[];
  stages?: readonly AbilityStage[];
}

const COSMIC = ['Cosmic'] as const;
const CLASS_TIERS = [2, 3, 4] as const;

export const EMPOWERED_GEMS: readonly EmpoweredGemSheet[] = [
  {
    slug: 'spirittank',
    name: 'Aegis Assault',
    effect: 'Shield bash has no cooldown and stacks damage over time on targets; that damage does not leech health.',
    className: 'Revenant',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'adventurer_swap',
    name: 'Bawk-Bomb',
    effect: 'Bombs become chicken bombs that hatch short-lived attacking chickens.',
    className: 'Boomeranger',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'tombraiser_swap',
    name: 'Beckon Banshee',
    effect: "Summons a banshee that heals the caster's other minions nearby.",
    className: 'Tomb Raiser',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'dracolyte_swap',
    name: 'Burning Ward',
    effect: 'A detonating Burnt Offering leaves a small dracolyte that fights briefly.',
    className: 'Dracolyte',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'shield',
    name: 'Cubic Curtain',
    effect: 'Going without damage builds a shield that absorbs one hit and stuns the attacker.',
    abilityId: 8,
  },
  {
    slug: 'dinotamer_dinotime',
    name: 'Dino Time',
    effect: 'Ultimate mount lasts longer and its acid spit fires faster.',
    className: 'Dino Tamer',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'dinotamer_tripleshot',
    name: 'Empowered Hunting Dart',
    effect: 'Hunting Dart fires three darts instead of one.',
    className: 'Dino Tamer',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'npcdeath_explosion',
    name: 'Explosive Epilogue',
    effect: 'Killed enemies explode; has a cooldown.',
    abilityId: 7,
    stages: [{ name: 'Npcdeath Explosion Explosion', prefab: 'abilities/gems/npcdeath_explosion_explosion', base: 10, multiplier: 4.5 }],
  },
  {
    slug: 'trickster_egobuff',
    name: 'Fae-go my Ego',
    effect: 'Ego Blast bonus survives one more hit taken.',
    className: 'Fae Trickster',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'trickster_swap',
    name: 'Faerocious Facsimile',
    effect: 'Blink decoys chase enemies and explode, damaging and stunning.',
    className: 'Fae Trickster',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'crimefighter_attackswap',
    name: "Hero's Mantle",
    effect: 'The last hit of a combo shortens ability cooldowns a little.',
    className: 'Vanguardian',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'neonninja_swap',
    name: 'Heuristic Haxstar',
    effect: 'Bigger piercing shuriken that apply Stasis Blade; three-ring shuriken hit harder and crit harder.',
    className: 'Neon Ninja',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'bard_attackswap',
    name: 'Melody Master',
    effect: 'Longer attack range and stronger songs.',
    className: 'Bard',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'nova_snare',
    name: 'Mired Mojo',
    effect: 'Being hit may release a ring of snaring projectiles that slow enemies; has a cooldown.',
    abilityId: 4,
    stats: [
      {
        name: 'Movement Speed',
        stat: '$Stat_MovementSpeed',
        op: 'Multiply',
        value: -100,
        amount: 0,
        prefab: 'abilities/gems/nova_snare_effect_snare',
      },
      { name: 'Jump', stat: '$Stat_Jump', op: 'Multiply', value: -100, amount: 0, prefab: 'abilities/gems/nova_snare_effect_snare' },
    ],
    stages: [{ name: 'Nova Snare Bullet', prefab: 'abilities/gems/nova_snare_bullet', base: 0, multiplier: 1.5 }],
  },
  {
    slug: 'gunslinger_swap',
    name: 'Overcharged',
    effect: 'Run and Gun fires slower but every shot explodes in an area.',
    className: 'Gunslinger',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'icemage',
    name: 'Pain Freeze',
    effect: 'Basic attacks freeze for 1 s on the first hit; a third hit in a row makes the target explode.',
    className: 'Ice Sage',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'chloromancer',
    name: 'Plant Power',
    effect: 'Empowered Growth also heals nearby plants and allies.',
    className: 'Chloromancer',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'solarion_swap',
    name: 'Prismatic Link',
    effect: 'Prismatic blast pulses around the phoenix as well as the player.',
    className: 'Solarion',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'npcdeath_damage_aura',
    name: 'Pyrodisc',
    effect: 'Kills may create a flaming disc that damages enemies nearby; has a cooldown.',
    abilityId: 6,
    stats: [
      {
        name: 'Movement Speed',
        stat: '$Stat_MovementSpeed',
        op: 'Add',
        value: 30,
        amount: 30,
        prefab: 'abilities/gems/npcdeath_damage_aura_stats',
      },
    ],
    stages: [
      { name: 'Npcdeath Damage Aura Aoe Effect', prefab: 'abilities/gems/npcdeath_damage_aura_aoe_effect', base: 0, multiplier: 2.75 },
    ],
  },
  {
    slug: 'piratelord_swap',
    name: 'Razing Tide',
    effect: "Throwing a First Mate or Man o' War also causes an explosion.",
    className: 'Pirate Captain',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'candybarbarian_swap',
    name: "Scoop n' Gloop",
    effect: 'Sugar Crash jumps in place, pulls enemies in and snares them briefly.',
    className: 'Candy Barbarian',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'shadowhunter_swap',
    name: 'Shadow Blitz',
    effect: 'Basic attack becomes a rapid stream of arrows.',
    className: 'Shadow Hunter',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'lunarlancer_swap',
    name: 'Shadow Lancer',
    effect: 'Basic attacks may summon an attacking shadow; likelier in Lunarform.',
    className: 'Lunar Lancer',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'knight',
    name: 'Spirit Squire',
    effect: 'Charge sends a spirit squire forward instead of the knight, damaging and stunning.',
    className: 'Knight',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'nova_dot',
    name: 'Spirit Surge',
    effect: 'Being hit may release a ring of projectiles whose damage over time scales with max health; has a cooldown.',
    abilityId: 3,
    stats: [
      {
        name: 'Health Regen',
        stat: '$Stat_HealthRegen_controller',
        op: 'Multiply',
        value: -100,
        amount: 0,
        prefab: 'abilities/gems/nova_dot_effect',
      },
    ],
    stages: [
      { name: 'Nova Dot Bullet', prefab: 'abilities/gems/nova_dot_bullet', base: 0, multiplier: 1.5 },
      { name: 'Nova Dot Effect', prefab: 'abilities/gems/nova_dot_effect', base: 0, multiplier: 0.025 },
    ],
  },
  {
    slug: 'basic_attack_dot',
    name: 'Stinging Curse',
    effect: 'Dealing damage applies damage over time.',
    abilityId: 1,
    stats: [
      {
        name: 'Health Regen',
        stat: '$Stat_HealthRegen_controller',
        op: 'Multiply',
        value: -100,
        amount: 0,
        prefab: 'abilities/gems/basic_attack_dot_stackable_effect',
      },
      {
        name: 'Health Regen',
        stat: '$Stat_HealthRegen_controller',
        op: 'Multiply',
        value: -100,
        amount: 0,
        prefab: 'abilities/gems/basic_attack_dot_effect',
      },
    ],
    stages: [
      { name: 'Basic Attack Dot Stackable Effect', prefab: 'abilities/gems/basic_attack_dot_stackable_effect', base: 0, multiplier: 0.1 },
      { name: 'Basic Attack Dot Effect', prefab: 'abilities/gems/basic_attack_dot_effect', base: 0, multiplier: 0.05 },
    ],
  },
  {
    slug: 'nova_stun',
    name: 'Stunburst',
    effect: 'Being hit may release a ring of stunning projectiles; has a cooldown.',
    abilityId: 5,
    stages: [{ name: 'Nova Stun Bullet', prefab: 'abilities/gems/nova_stun_bullet', base: 0, multiplier: 1.5 }],
  },
  {
    slug: 'trickster_shield',
    name: 'Tricky Fae-scape',
    effect: 'At low health: brief immunity, extra movement speed and a free decoy; has a cooldown.',
    className: 'Fae Trickster',
    tiers: CLASS_TIERS,
  },
  {
    slug: 'increase_shoot_speed',
    name: 'Volatile Velocity',
    effect: 'Projectiles fly faster.',
    abilityId: 2,
    stats: [
      {
        name: 'Projectile Speed',
        stat: '$Stat_ShootProjectileSpeedMultiplier',
        op: 'Multiply',
        value: 50,
        amount: 1.5,
        prefab: 'abilities/gems/increase_shoot_speed',
      },
    ],
  },
  {
    slug: 'battle_frenzy',
    name: 'Berserk Battler',
    effect: 'Damaging enemies builds a small attack-speed and Light bonus that grows into a large one while fighting goes on.',
    abilityId: 9,
    elements: COSMIC,
    stats: [
      { name: 'Attack Speed', stat: '$Stat_AttackSpeed', op: 'Add', value: 25, amount: 25, prefab: 'abilities/gems/battle_frenzy_large' },
      { name: 'Light', stat: '$Stat_Light', op: 'Add', value: 500, amount: 500, prefab: 'abilities/gems/battle_frenzy_large' },
      { name: 'Attack Speed', stat: '$Stat_AttackSpeed', op: 'Add', value: 15, amount: 15, prefab: 'abilities/gems/battle_frenzy_small' },
      { name: 'Light', stat: '$Stat_Light', op: 'Add', value: 250, amount: 250, prefab: 'abilities/gems/battle_frenzy_small' },
    ],
  },
  {
    slug: 'empyrean_barrier',
    name: 'Empyrean Barrier',
    effect: 'Periodic damage-reducing shield that explodes when broken; has a cooldown.',
    abilityId: 10,
    elements: COSMIC,
    stages: [{ name: 'Empyrean Barrier Explosion', prefab: 'abilities/gems/empyrean_barrier_explosion', base: 10, multiplier: 0.25 }],
  },
  {
    slug: 'flower_power',
    name: 'Flower Power',
    effect: 'Being hit may spawn a flower that decays and explodes; has a cooldown.',
    abilityId: 11,
    elements: COSMIC,
  },
  {
    slug: 'vampiric',
    name: 'Vampirian Vanquisher',
    effect: 'Critical hits may raise movement speed and make the next hit leech health.',
    abilityId: 12,
    elements: COSMIC,
  },
  {
    slug: 'mastery',
    name: 'Masterful Prismatic Gem',
    effect: 'Fits any Empowered slot; has no ability of its own.',
    elements: ['Prismatic'],
    tiers: [],
  },
];
