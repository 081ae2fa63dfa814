/** Names of the events that webhooks are told of. */
export const EVENT_LABELS = { challenge: 'Challenge', mod_release: 'Mod release', game_update: 'Game update' };
