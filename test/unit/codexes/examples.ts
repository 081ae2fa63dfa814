/** Documented examples of the format: an ally with an identity and one modifier, and a language table with two texts. */
export const ALLY_HEX =
  '02004b62260006 1e18 0724785f6e616d65 28 0450657473 58 0e24785f6465736372697074696f6e e001001e ac0220 1e be03ae010004 001e1002240000d040 38026173 460000000000000000 1e 081e'.replaceAll(
    ' ',
    '',
  );

export const TEXTS_HEX =
  '3eae020004 0807 24785f6e616d65 1803 426174 1e 14 080e 24785f6465736372697074696f6e 1807 536c656570732e 1e 08 1e'.replaceAll(' ', '');
