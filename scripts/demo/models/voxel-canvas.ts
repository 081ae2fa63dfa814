import type { Voxel } from '../../../test/support/codex/encode-blueprint.ts';

export type Colour = readonly [number, number, number];
export type Paint = Pick<Voxel, 'type' | 'colour' | 'surface'>;

export const solid = (colour: Colour): Paint => ({ type: 21, colour });
export const glass = (colour: Colour, surface = 3): Paint => ({ type: 18, colour, surface });
export const glow = (colour: Colour): Paint => ({ type: 55, colour });

/** A lighter (factor above 1) or darker (below 1) colour. */
export const toned = ([red, green, blue]: Colour, factor: number): Colour => {
  const channel = (value: number) => Math.max(0, Math.min(255, Math.round(value * factor)));
  return [channel(red), channel(green), channel(blue)];
};

type Point = readonly [x: number, y: number, z: number];

/** Builds a model; y is up. Later voxels replace earlier ones. */
export class VoxelCanvas {
  readonly #voxels = new Map<string, Voxel>();

  set([x, y, z]: Point, paint: Paint): this {
    this.#voxels.set(`${x},${y},${z}`, { x, y, z, ...paint });
    return this;
  }

  /** Paints a box; both corners are inclusive. */
  box(from: Point, to: Point, paint: Paint): this {
    for (let x = from[0]; x <= to[0]; x += 1) {
      for (let y = from[1]; y <= to[1]; y += 1) for (let z = from[2]; z <= to[2]; z += 1) this.set([x, y, z], paint);
    }
    return this;
  }

  ball(centre: Point, radii: Point, paint: Paint): this {
    return this.within(centre, radii, (distance) => (distance <= 1 ? paint : null));
  }

  /** Paints voxels around a centre by their distance, in radii. */
  within([cx, cy, cz]: Point, [rx, ry, rz]: Point, paintAt: (distance: number, place: Point) => Paint | null): this {
    for (let x = Math.floor(cx - rx); x <= cx + rx; x += 1) {
      for (let y = Math.floor(cy - ry); y <= cy + ry; y += 1) {
        for (let z = Math.floor(cz - rz); z <= cz + rz; z += 1) {
          const paint = paintAt(Math.hypot((x - cx) / rx, (y - cy) / ry, (z - cz) / rz), [x, y, z]);
          if (paint) this.set([x, y, z], paint);
        }
      }
    }
    return this;
  }

  /** Mirrors the model at x = 0. */
  mirrored(): this {
    for (const { x, y, z, ...paint } of [...this.#voxels.values()]) this.set([-x, y, z], paint);
    return this;
  }

  voxels(): Voxel[] {
    return [...this.#voxels.values()];
  }
}
