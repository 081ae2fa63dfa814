/** Names of the upstream sources, under which the upstream client keeps their state. */
export const RELAY_SOURCES = { chaosChest: 'chaos-chest', delves: 'delves' } as const;
