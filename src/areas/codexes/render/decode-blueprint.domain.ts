import { readVarint } from '../../../platform/kit/values/bytes.ts';
import { BlueprintError, MAX_INFLATED_BYTES, MAX_SIDE, MAX_VOXELS, type Voxels } from './blueprint.domain.ts';

const MAGIC = [0x6b, 0x69, 0x77, 0x69, 0x62] as const;
const VERSION_OFFSET = MAGIC.length;
const BODY_OFFSET = VERSION_OFFSET + 4;
/** Three coordinates of one byte each, type and colour. */
const MIN_LISTED_VOXEL_BYTES = 9;
const COLOUR_BYTES = 4;
const TYPE_BYTES = 2;
const INDEX_BYTES = 4;
/** Header of a packed model: origin, size, number of voxels and first index. */
const PACKED_HEAD_BYTES = 32;
const COUNT_OFFSET = 24;
const PACKED_VOXEL_BYTES = INDEX_BYTES + TYPE_BYTES + COLOUR_BYTES;
/** Bytes of a stream that contain the head, whatever its compression. */
const HEAD_STREAM_BYTES = 1024;
const TRAILING_BYTES = 1024;

/**
 * Inflates a zlib stream to at most `maxBytes` in chunks of `chunkBytes`. Accepts a missing end. Throws `BlueprintError`. A
 * parameter, because the Worker and browsers have different decoders.
 */
export type Inflate = (stream: Uint8Array, maxBytes: number, chunkBytes: number) => Uint8Array;

/** Decodes a model of version 3, 4 or 5. Throws `BlueprintError` if it is malformed, empty or too large to render. */
export function decodeBlueprint(bytes: Uint8Array, inflate: Inflate): Voxels {
  const count = countVoxels(bytes, inflate);
  if (!isPacked(bytes)) return decodeVoxelList(bytes);
  // One buffer of the size that the number of voxels needs.
  return decodePacked(
    inflate(bytes.subarray(BODY_OFFSET), MAX_INFLATED_BYTES, PACKED_HEAD_BYTES + PACKED_VOXEL_BYTES * count + TRAILING_BYTES),
  );
}

/**
 * Number of voxels that the head of a model states. Throws `BlueprintError` if it is malformed, if the number is 0, or above
 * `MAX_VOXELS`.
 */
export function countVoxels(bytes: Uint8Array, inflate: Inflate): number {
  const count = isPacked(bytes)
    ? viewOf(readPackedHead(bytes, inflate)).getInt32(COUNT_OFFSET, true)
    : readVarint(bytes, BODY_OFFSET)?.value;
  if (count === undefined) throw truncatedError();
  if (count <= 0) throw new BlueprintError('the blueprint is empty');
  if (count > MAX_VOXELS) throw new BlueprintError(`the blueprint has ${count} voxels; at most ${MAX_VOXELS} are supported`);
  return count;
}

/** Whether a model is of version 5; otherwise it is a list of voxels. */
function isPacked(bytes: Uint8Array): boolean {
  if (bytes.length < BODY_OFFSET || MAGIC.some((byte, index) => bytes[index] !== byte)) throw new BlueprintError('not a blueprint');
  const version = viewOf(bytes).getUint32(VERSION_OFFSET, true);
  if (version < 3 || version > 5) throw new BlueprintError(`unsupported blueprint version ${version}; supported versions: 3, 4, 5`);
  return version === 5;
}

/** Decompresses the start of a packed model. */
function readPackedHead(bytes: Uint8Array, inflate: Inflate): Uint8Array {
  const head = inflate(bytes.subarray(BODY_OFFSET, BODY_OFFSET + HEAD_STREAM_BYTES), MAX_INFLATED_BYTES, HEAD_STREAM_BYTES);
  if (head.length < PACKED_HEAD_BYTES) throw truncatedError();
  return head;
}

/** Versions 3 and 4: a list of voxels, each with its position. */
function decodeVoxelList(bytes: Uint8Array): Voxels {
  let at = BODY_OFFSET;
  const next = (): number => {
    const number = readVarint(bytes, at);
    if (!number) throw truncatedError();
    at = number.next;
    return number.value;
  };
  const count = next();
  if (MIN_LISTED_VOXEL_BYTES * count > bytes.length - at) throw truncatedError();
  const voxels = emptyVoxels(count);
  const { type, bgrw } = voxels;
  const [x, y, z] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  for (let index = 0; index < count; index += 1) {
    x[index] = unzigzag(next());
    y[index] = unzigzag(next());
    z[index] = unzigzag(next());
    if (at + TYPE_BYTES + COLOUR_BYTES > bytes.length) throw truncatedError();
    type[index] = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    bgrw.set(bytes.subarray(at + TYPE_BYTES, at + TYPE_BYTES + COLOUR_BYTES), COLOUR_BYTES * index);
    at += TYPE_BYTES + COLOUR_BYTES;
  }
  const width = shiftToZero(x, voxels.x);
  shiftToZero(y, voxels.y);
  shiftToZero(z, voxels.z);
  mirror(voxels.x, width);
  return voxels;
}

/** Version 5: positions as differences of an index, then types, then colours. */
function decodePacked(bytes: Uint8Array): Voxels {
  const view = viewOf(bytes);
  const [width, height, depth, count] = [12, 16, 20, COUNT_OFFSET].map((offset) => view.getInt32(offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  const [differences, types] = [PACKED_HEAD_BYTES, PACKED_HEAD_BYTES + INDEX_BYTES * (count - 1)];
  const colours = types + TYPE_BYTES * count;
  if (colours + COLOUR_BYTES * count > bytes.length) throw truncatedError();
  for (const side of [width, height, depth]) checkSide(side);
  const voxels = emptyVoxels(count);
  const { x, y, z, type, bgrw } = voxels;
  const layer = width * depth;
  let position = view.getInt32(PACKED_HEAD_BYTES - INDEX_BYTES, true);
  for (let index = 0; index < count; index += 1) {
    if (index > 0) position += view.getInt32(differences + INDEX_BYTES * (index - 1), true);
    if (position < 0 || position >= layer * MAX_SIDE) throw new BlueprintError('the blueprint has a voxel outside its bounds');
    const level = Math.floor(position / layer);
    const inLayer = position - level * layer;
    x[index] = inLayer % width;
    y[index] = level;
    z[index] = (inLayer / width) | 0;
    type[index] = view.getUint16(types + TYPE_BYTES * index, true);
  }
  bgrw.set(bytes.subarray(colours, colours + COLOUR_BYTES * count));
  mirror(x, width);
  return voxels;
}

function checkSide(side: number): void {
  if (side <= 0 || side > MAX_SIDE) throw new BlueprintError(`the blueprint must measure 1 to ${MAX_SIDE} voxels on each side`);
}

function truncatedError(): BlueprintError {
  return new BlueprintError('the blueprint is truncated');
}

function emptyVoxels(count: number): Voxels {
  const [x, y, z] = [new Int16Array(count), new Int16Array(count), new Int16Array(count)];
  return { count, x, y, z, type: new Uint16Array(count), bgrw: new Uint8Array(COLOUR_BYTES * count) };
}

/** Writes the values less the lowest. Returns the length of the range. */
function shiftToZero(values: Int32Array, into: Int16Array): number {
  let [least, greatest] = [values[0] as number, values[0] as number];
  for (const value of values) {
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  const side = greatest - least + 1;
  checkSide(side);
  for (let index = 0; index < values.length; index += 1) into[index] = (values[index] as number) - least;
  return side;
}

function mirror(x: Int16Array, width: number): void {
  for (let index = 0; index < x.length; index += 1) x[index] = width - 1 - (x[index] as number);
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
