/** How a binding dies. */
export type Death = 'throws' | 'hangs';

/** A binding of which every call fails, or never ends, however calls are chained. */
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
