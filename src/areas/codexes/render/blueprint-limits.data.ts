/** Voxels of the largest model that is drawn. */
export const MAX_VOXELS = 250_000;
/** Largest file that is read, in bytes. */
export const MAX_BLUEPRINT_BYTES = 4 * 1024 * 1024;
/** Inflated bytes of a model of version 5: those of `MAX_VOXELS`, and a rest that nothing reads. */
export const MAX_INFLATED_BYTES = 4 * 1024 * 1024;
/** Voxels along one axis. */
export const MAX_SIDE = 4096;
/** Sides of an image in pixels. */
export const MIN_IMAGE_SIDE = 32;
export const MAX_IMAGE_SIDE = 512;
/** Raise it when the same model comes out differently. */
export const RENDERER_VERSION = 1;
