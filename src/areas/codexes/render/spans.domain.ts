/** The samples of a convex shape: of each row from `top` until before `bottom`, those from `left` until before `right`. */
export interface Spans {
  top: number;
  bottom: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Finds the samples of a shape whose four corners are given clockwise. Shapes that share an edge share no sample and leave none out. */
  trace(points: Float64Array, corners: readonly number[]): void;
}

/** Spans within a square of samples, cut off at its sides. */
export function createSpans(side: number): Spans {
  const left = new Int32Array(side);
  const right = new Int32Array(side);

  /** The first sample whose middle lies at or behind a place. */
  const sampleAt = (place: number) => Math.min(side, Math.max(0, Math.ceil(place - 0.5)));

  /** Notes where an edge crosses the middles of the rows. */
  function traceEdge(topX: number, topY: number, bottomX: number, bottomY: number, bound: Int32Array): void {
    const end = sampleAt(bottomY);
    const slope = (bottomX - topX) / (bottomY - topY);
    for (let row = sampleAt(topY); row < end; row += 1) bound[row] = sampleAt(topX + (row + 0.5 - topY) * slope);
  }

  return {
    top: 0,
    bottom: 0,
    left,
    right,
    trace(points, corners) {
      let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let corner = 0; corner < 4; corner += 1) {
        const from = 2 * (corners[corner] as number);
        const to = 2 * (corners[(corner + 1) & 3] as number);
        const [fromX, fromY] = [points[from] as number, points[from + 1] as number];
        const [toX, toY] = [points[to] as number, points[to + 1] as number];
        if (fromY < top) top = fromY;
        if (fromY > bottom) bottom = fromY;
        // Clockwise, the shape lies left of an edge that leads down.
        if (fromY < toY) traceEdge(fromX, fromY, toX, toY, right);
        else if (toY < fromY) traceEdge(toX, toY, fromX, fromY, left);
      }
      this.top = sampleAt(top);
      this.bottom = sampleAt(bottom);
    },
  };
}
