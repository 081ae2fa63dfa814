/** Display names of the events. */
export const EVENT_LABELS = { challenge: 'Challenge', mod_release: 'Mod release', game_update: 'Game update', luxion: 'Luxion' };
