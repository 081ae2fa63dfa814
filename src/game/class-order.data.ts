/** Technical names of the classes in the order of the game, which numbers the boards of the classes. */
export const CLASS_ORDER = [
  ...['knight', 'gunslinger', 'faetrickster', 'dracolyte', 'neonninja', 'candybarbarian', 'icemage', 'shadowhunter', 'piratelord'],
  ...['adventurer', 'tombraiser', 'lunarlancer', 'spirittank', 'chloromancer', 'dinotamer', 'crimefighter', 'bard', 'solarion'],
] as const;
