/** A coordinate with at most two decimals, finer than a pixel at any scale. */
export function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Linear interpolation; `share` from 0 to 1. */
export function blend(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Gradient of evenly spaced colours, from top to bottom or from left to right. */
export function gradient(id: string, colours: readonly string[], direction: 'downward' | 'lengthwise'): string {
  const stops = colours.map((colour, index) => `<stop offset="${coordinate(index / (colours.length - 1))}" stop-color="${colour}"/>`);
  const [x, y] = direction === 'lengthwise' ? [1, 0] : [0, 1];
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x}" y2="${y}">${stops.join('')}</linearGradient>`;
}

/** A closed polygon of alternating outer and inner corners; the first corner points up. */
export function star(x: number, y: number, rays: number, outer: number, inner: number): string {
  const corners = Array.from({ length: rays * 2 }, (_, index) => {
    const angle = (Math.PI * index) / rays;
    const radius = index % 2 === 0 ? outer : inner;
    return `${coordinate(x + radius * Math.sin(angle))},${coordinate(y - radius * Math.cos(angle))}`;
  });
  return `<polygon points="${corners.join(' ')}"/>`;
}
