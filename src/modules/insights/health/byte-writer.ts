/** Text becomes bytes as it comes. */
export interface ByteWriter {
  /** Says how many bytes there are now. */
  readonly write: (text: string) => number;
  /** All that was written. */
  readonly bytes: () => Buffer;
}

/** UTF-8 needs no more for a unit of UTF-16. */
const maxBytesPerUnit = 3;

/** Begins with room for so many bytes; what is not used is never touched, and takes no memory. */
export function createByteWriter(room: number): ByteWriter {
  let buffer = Buffer.allocUnsafeSlow(room);
  let length = 0;
  return {
    write(text) {
      const needed = length + text.length * maxBytesPerUnit;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, needed));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
      return length;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
