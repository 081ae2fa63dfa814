/** A change that can be undone. */
export interface UndoStep<Place> {
  before: Place;
  /** Changes of one source in a row, such as the letters of a text, are one step. */
  source?: string;
}

/** The steps with one more, oldest first. The oldest steps beyond `max` are dropped. */
export function withStep<Step extends UndoStep<unknown>>(steps: readonly Step[], step: Step, max: number): Step[] {
  const last = steps.at(-1);
  if (last === undefined || step.source === undefined || step.source !== last.source) return [...steps, step].slice(-max);
  return [...steps.slice(0, -1), { ...step, before: last.before }];
}
