/** Samples of a convex shape: in each row from `top` to `bottom` (exclusive), the samples from `left` to `right` (exclusive). */
export interface Spans {
  top: number;
  bottom: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Sets the samples of a shape with four corners, clockwise. Shapes with a common edge neither overlap nor leave a gap. */
  trace(points: Float64Array, corners: readonly number[]): void;
}

/** Spans clipped to a square of samples. */
export function createSpans(side: number): Spans {
  const left = new Int32Array(side);
  const right = new Int32Array(side);

  /** First sample whose centre is at or after a coordinate. */
  const sampleAt = (coordinate: number) => Math.min(side, Math.max(0, Math.ceil(coordinate - 0.5)));

  /** Records the crossings of an edge with the centres of the rows. */
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
        // With clockwise corners, a downward edge is the right bound.
        if (fromY < toY) traceEdge(fromX, fromY, toX, toY, right);
        else if (toY < fromY) traceEdge(toX, toY, fromX, fromY, left);
      }
      this.top = sampleAt(top);
      this.bottom = sampleAt(bottom);
    },
  };
}
