/** Failure mode of a binding. */
export type FailureMode = 'throws' | 'hangs';

/** Creates a binding whose calls, chained or not, all throw or never settle. */
export function createFailingBinding<Binding extends object>(mode: FailureMode): Binding {
  const hung: object = new Proxy(() => {}, {
    get: (_, property) => (property === 'then' ? () => {} : hung),
    apply: () => hung,
  });
  const failing = (): never => {
    throw new Error('dead binding');
  };
  return (mode === 'hangs' ? new Proxy({}, { get: () => hung }) : new Proxy({}, { get: () => failing })) as Binding;
}
