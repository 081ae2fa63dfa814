/** Names of the sources; the upstream client stores their state by name. */
export const RELAY_SOURCES = { chaosChest: 'chaos-chest', delves: 'delves' } as const;
