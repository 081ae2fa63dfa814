/** `LONG_TESTS=1` runs what the ordinary suite samples: every random build configuration is then compared in full. */
const long = process.env.LONG_TESTS === '1';

/** Random build configurations compared with the oracle; a Farm takes the oracle a fifth of a second. */
export const BUILD_CONFIGURATIONS = 2000;
export const FARM_CONFIGURATIONS = long ? BUILD_CONFIGURATIONS : 12;
export const PROPERTY_RUNS = long ? 5000 : 250;
