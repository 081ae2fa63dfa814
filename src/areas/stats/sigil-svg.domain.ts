/** Coordinates with two decimals at most, which is finer than a pixel at any scale. */
export function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Between two numbers, `share` (0-1) of the way. */
export function blend(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Evenly spaced colours, from the top of a shape down or from its left to its right. */
export function gradient(id: string, colours: readonly string[], direction: 'downward' | 'lengthwise'): string {
  const stops = colours.map((colour, index) => `<stop offset="${coordinate(index / (colours.length - 1))}" stop-color="${colour}"/>`);
  const [x, y] = direction === 'lengthwise' ? [1, 0] : [0, 1];
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x}" y2="${y}">${stops.join('')}</linearGradient>`;
}

/** A closed polygon through alternating outer and inner corners, the first one straight up. */
export function star(x: number, y: number, rays: number, outer: number, inner: number): string {
  const corners = Array.from({ length: rays * 2 }, (_, index) => {
    const angle = (Math.PI * index) / rays;
    const radius = index % 2 === 0 ? outer : inner;
    return `${coordinate(x + radius * Math.sin(angle))},${coordinate(y - radius * Math.cos(angle))}`;
  });
  return `<polygon points="${corners.join(' ')}"/>`;
}
