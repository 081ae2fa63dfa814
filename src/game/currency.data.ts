/** The currency of market prices, as the game names it. */
export const CURRENCY = 'flux';
