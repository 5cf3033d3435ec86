import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { StartError } from '../platform/start-error.ts';

/**
 * Archives are tar files, so that everyone can look inside and take a table out by hand:
 * `tar -xf FILE` and `gunzip`.
 */
const blockBytes = 512;
const nameBytes = 100;
const sizeAt = 124;
const sizeBytes = 12;
const checksumAt = 148;
const checksumBytes = 8;
const typeAt = 156;
/** Regular files. Old programs write a zero byte. */
const fileTypes = ['0', '\0'];
/** A backup has about a hundred entries. */
const maxEntries = 1000;
/** Larger sizes do not fit into eleven octal digits; they are written in binary, as GNU tar does. */
const largestOctal = 8 ** 11 - 1;

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

const octal = (value: number, bytes: number) => `${value.toString(8).padStart(bytes - 1, '0')}\0`;

const checksumOf = (header: Buffer): number => {
  let sum = 0;
  for (const [at, byte] of header.entries()) {
    sum += at >= checksumAt && at < checksumAt + checksumBytes ? 0x20 : byte;
  }
  return sum;
};

function headerOf(name: string, size: number, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, nameBytes);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  if (size <= largestOctal) header.write(octal(size, sizeBytes), sizeAt);
  else {
    header[sizeAt] = 0x80;
    header.writeBigUInt64BE(BigInt(size), sizeAt + 4);
  }
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136);
  header.write('0', typeAt);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.write(`${octal(checksumOf(header), 7)} `, checksumAt);
  return header;
}

/** Reads the size of an entry. Undefined unless it is a whole number, not negative, in the form that is written above. */
function sizeIn(header: Buffer): number | undefined {
  const field = header.subarray(sizeAt, sizeAt + sizeBytes);
  if (field[0] === 0x80) {
    const size = Number(field.readBigUInt64BE(4));
    return Number.isSafeInteger(size) && field.subarray(1, 4).every((byte) => byte === 0)
      ? size
      : undefined;
  }
  const digits = /^([0-7]{11})[\0 ]$/.exec(field.toString('latin1'))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

export interface ArchiveWriter {
  readonly add: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** Ends the archive and returns its size when it is on the disk. */
  readonly finish: () => Promise<number>;
}

/** Writes an archive into an open, empty file. */
export function writeArchive(handle: FileHandle, modifiedAt: Date): ArchiveWriter {
  let end = 0;
  const append = async (bytes: Buffer) => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, end + done);
      done += bytesWritten;
    }
    end += bytes.length;
  };
  return {
    async add(name, content) {
      const headerAt = end;
      await append(Buffer.alloc(blockBytes));
      const from = end;
      for await (const chunk of content) await append(chunk);
      const size = end - from;
      await append(Buffer.alloc(paddingOf(size)));
      // The size is known only now.
      await handle.write(headerOf(name, size, modifiedAt), 0, blockBytes, headerAt);
    },
    async finish() {
      await append(Buffer.alloc(2 * blockBytes));
      await handle.sync();
      return end;
    },
  };
}

interface Entry {
  readonly from: number;
  readonly size: number;
}

export interface ArchiveReader {
  readonly size: number;
  readonly names: ReadonlySet<string>;
  readonly read: (name: string) => Readable;
  readonly close: () => Promise<void>;
}

const damaged = (file: string, how: string) => new StartError(`${file} is damaged: ${how}.`);

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0);

async function listEntries(handle: FileHandle, file: string, fileSize: number) {
  const entries = new Map<string, Entry>();
  const header = Buffer.alloc(blockBytes);
  const readBlock = async (at: number) => {
    const { bytesRead } = await handle.read(header, 0, blockBytes, at);
    if (bytesRead < blockBytes) throw damaged(file, 'it ends too early');
  };
  for (let at = 0; ; ) {
    await readBlock(at);
    if (isEmpty(header)) {
      // Two empty blocks end the archive.
      await readBlock(at + blockBytes);
      const isEnd = isEmpty(header) && at + 2 * blockBytes === fileSize;
      if (!isEnd) throw damaged(file, `unexpected data after its end at byte ${at}`);
      return entries;
    }
    const checksum = Number.parseInt(header.toString('latin1', checksumAt, checksumAt + 7), 8);
    if (checksum !== checksumOf(header)) {
      if (at === 0) throw new StartError(`${file} isn't a Burgee backup.`);
      throw damaged(file, `no table at byte ${at}, where one should begin`);
    }
    const name = header.toString('utf8', 0, nameBytes).replace(/\0.*$/s, '');
    const size = sizeIn(header);
    if (size === undefined) throw damaged(file, `the size at byte ${at + sizeAt} isn't a number`);
    const type = String.fromCharCode(header[typeAt] ?? 0);
    // Links, and entries that describe others, would be read differently by other programs.
    if (!fileTypes.includes(type)) throw damaged(file, `the entry at byte ${at} isn't a file`);
    if (entries.has(name)) throw damaged(file, `duplicate entry at byte ${at}`);
    if (entries.size === maxEntries) throw damaged(file, `it has more than ${maxEntries} entries`);
    const from = at + blockBytes;
    if (from + size > fileSize) throw damaged(file, 'it ends too early');
    entries.set(name, { from, size });
    at = from + size + paddingOf(size);
  }
}

const readBytes = 256 * 1024;

async function* readRange(handle: FileHandle, { from, size }: Entry): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const length = Math.min(readBytes, size - done);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from + done);
    // The file became shorter while it was read. Its hash will be wrong.
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
  }
}

export async function readArchive(file: string): Promise<ArchiveReader> {
  let handle: FileHandle;
  let size: number;
  try {
    const found = await stat(file);
    // Asked before it is opened: a pipe that no one writes to would never open.
    if (!found.isFile()) throw new StartError(`${file} isn't a file.`);
    size = found.size;
    handle = await open(file, 'r');
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`Couldn't read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    const entries = await listEntries(handle, file, size);
    return {
      size,
      names: new Set(entries.keys()),
      read(name) {
        const entry = entries.get(name);
        if (!entry) throw damaged(file, `${name} is missing`);
        return Readable.from(readRange(handle, entry), { objectMode: false });
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
