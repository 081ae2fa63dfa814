/** `LONG_TESTS=1` runs all random build configurations; the regular suite runs a sample. */
const long = process.env.LONG_TESTS === '1';

/** Number of random build configurations compared with the reference implementation, which needs 0.1 s for a Farm build. */
export const BUILD_CONFIGURATIONS = long ? 2000 : 500;
export const FARM_CONFIGURATIONS = long ? BUILD_CONFIGURATIONS : 6;
export const PROPERTY_RUNS = long ? 5000 : 250;
