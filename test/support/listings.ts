/** The listing of the examples, without its time. */
export const EXAMPLE_LISTING = {
  id: '5f0f8e80-6a1c-11ef-9a3e-01005161a8df',
  name: 'Sun Sap',
  type: 'Crafting',
  stack: 250,
  price: 40_000,
  milliEach: 160_000,
};
