import type { DailyBuff, WeeklyBuff, WeeklyBuffRules } from '../schedules/computed.domain.ts';
import type { NonEmpty } from '../schedules/cycle.domain.ts';
import { weeklyBuffCycle } from '../schedules/schedules.data.ts';

/** The seven daily buffs, Monday first. Images are URLs on a public image host; colours are hex digits without `#`. */
export const dailyBuffs: NonEmpty<DailyBuff> = [
  {
    name: 'Delve Day',
    color: '260375',
    weekday: 'Monday',
    emoji: '🏹',
    normal_buffs: ['2x Crystal drops', '2x Shadow Shard drops', '2x Inert Geode drops'],
    premium_buffs: ['3x Crystal drops', '3x Shadow Shard drops', '3x Inert Geode drops'],
    icon: 'https://i.imgur.com/sGpjABq.png',
    banner: 'https://i.imgur.com/vlBJweQ.png',
  },
  {
    name: 'Gathering Day',
    color: 'a14200',
    weekday: 'Tuesday',
    emoji: '🐟',
    normal_buffs: ['2x Radiant Shard drops', '+20% harvest chance', '+50% ore chance', '+20% fish chance'],
    premium_buffs: ['3x Radiant Shard drops', '+40% harvest chance', '+100% ore chance', '+40% fish chance'],
    icon: 'https://i.imgur.com/zZ2RDe2.png',
    banner: 'https://i.imgur.com/KQYmPtr.png',
  },
  {
    name: 'Gem Day',
    color: '181f79',
    weekday: 'Wednesday',
    emoji: '💎',
    normal_buffs: ['Gem upgrade dust cost -10%', '+25% gem box drop chance', 'Up to 3 Lustrous Gem Boxes from dungeons'],
    premium_buffs: ['Gem upgrade dust cost -20%', '+50% gem box drop chance', 'Up to 6 Lustrous Gem Boxes from dungeons'],
    icon: 'https://i.imgur.com/AmqEjbg.png',
    banner: 'https://i.imgur.com/M5rAxEM.png',
  },
  {
    name: 'Adventure Day',
    color: '692e01',
    weekday: 'Thursday',
    emoji: '🌀',
    normal_buffs: ['+50% Adventurine', '2x Adventure Box chance', '2x Talisman chance'],
    premium_buffs: ['+100% Adventurine', '3x Adventure Box chance', '3x Talisman chance'],
    icon: 'https://i.imgur.com/6iM7zOI.png',
    banner: 'https://i.imgur.com/WBfCJq7.png',
  },
  {
    name: 'Dragon Day',
    color: '6e0100',
    weekday: 'Friday',
    emoji: '🐉',
    normal_buffs: ['2x Dragon Coins from challenges', '2x Lesser Dragon Caches from challenges', '2x Dragon Fragment chance'],
    premium_buffs: ['3x Dragon Coins from challenges', '3x Lesser Dragon Caches from challenges', '3x Dragon Fragment chance'],
    icon: 'https://i.imgur.com/52xI3w0.png',
    banner: 'https://i.imgur.com/D6b9z7X.png',
  },
  {
    name: 'XP Day',
    color: '05e97b',
    weekday: 'Saturday',
    emoji: '💉',
    normal_buffs: ['+50% adventure experience', '+50% club experience', '+50% arena win experience'],
    premium_buffs: ['+100% adventure experience', '+100% club experience', '+100% arena win experience'],
    icon: 'https://i.imgur.com/QOJcURU.png',
    banner: 'https://i.imgur.com/kzsf681.png',
  },
  {
    name: 'Loot Day',
    color: 'fdcf07',
    weekday: 'Sunday',
    emoji: '💰',
    normal_buffs: ['+100 Magic Find', '2x Flux Artifact chance', 'Higher Chaos Chest drop chance'],
    premium_buffs: ['+400 Magic Find', '3x Flux Artifact chance', 'Higher Chaos Chest drop chance'],
    icon: 'https://i.imgur.com/pt2xXHd.png',
    banner: 'https://i.imgur.com/KpPil8k.png',
  },
];

/** The four weekly buffs in rotation order. `weekday` is a label of the game. */
const weeklyBuffs: NonEmpty<WeeklyBuff> = [
  {
    name: 'Double Star Bar',
    color: '260375',
    weekday: 'Monday',
    emoji: '🌟',
    buffs: ['2x Cubits and Flux for completing the Star Bar'],
    banner: 'https://i.imgur.com/g1M4wkM.png',
  },
  {
    name: 'Bonus XP',
    color: 'a14200',
    weekday: 'Tuesday',
    emoji: '🏅',
    buffs: ['+100% base experience'],
    banner: 'https://i.imgur.com/OL3oU5j.png',
  },
  {
    name: 'Second Stat Reroll',
    color: '181f79',
    weekday: 'Wednesday',
    emoji: '🎰',
    buffs: ['Second equipment stat rerollable at the Chaos Forge'],
    banner: 'https://i.imgur.com/gvLsTrl.png',
  },
  {
    name: 'Fast Invasions',
    color: '692e01',
    weekday: 'Thursday',
    emoji: '👾',
    buffs: ['Shadow Invasions happen more often'],
    banner: 'https://i.imgur.com/ppArlMV.png',
  },
];

export const weeklyBuffRules: WeeklyBuffRules = { cycle: weeklyBuffCycle, rotation: weeklyBuffs };
