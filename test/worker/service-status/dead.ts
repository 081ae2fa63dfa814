/** Failure mode of a binding. */
export type Death = 'throws' | 'hangs';

/** Creates a binding whose calls, chained or not, all throw or never settle. */
export function dead<Binding extends object>(death: Death): Binding {
  const hung: object = new Proxy(() => {}, {
    get: (_, property) => (property === 'then' ? () => {} : hung),
    apply: () => hung,
  });
  const failing = (): never => {
    throw new Error('dead binding');
  };
  return (death === 'hangs' ? new Proxy({}, { get: () => hung }) : new Proxy({}, { get: () => failing })) as Binding;
}
