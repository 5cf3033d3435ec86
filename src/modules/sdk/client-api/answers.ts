import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createCache } from '../../../platform/cache.ts';
import { inSlices } from '../../../platform/slices.ts';
import type { Snapshot } from '../snapshot/index.ts';
import { type Content, contentAt } from './content.ts';
import type { View } from './view.ts';

type Ready = Buffer | undefined;

/** An answer that is made once, and then ready for all who ask; unless it is so large that nobody should hold it. */
export interface Answer {
  readonly entityTag: string;
  /** Undefined where it is too large to be held. */
  readonly plain: () => Ready | Promise<Ready>;
  /** Undefined also where it would save nothing. */
  readonly gzipped: () => Promise<Ready>;
  /** All of it, made anew. */
  readonly pieces: () => Iterable<string>;
  /** All of it at once, for those who cannot wait: what is ready, or made in one piece. */
  readonly atOnce: () => Buffer;
}

/** Weak: plain and compressed answers have the same. */
export const entityTagOf = (name: string): string => `W/"${name}"`;

/** What a view shows, with the answers that say so. */
export interface Shown {
  readonly view: View;
  readonly content: Content;
  /** The answer of this kind, if somebody asked for it. */
  readonly find: (kind: string) => Answer | undefined;
  /** The answer of this kind, which is made by the first who reads it. */
  readonly answer: (kind: string, name: string, pieces: () => Iterable<string>) => Answer;
}

/** What a view shows of a snapshot; `before`: what somebody knows it to have shown. */
export type Show = (snapshot: Snapshot, view: View, before?: Content) => Shown;

interface Kept {
  readonly shown: Shown;
  /** The number of the snapshot as of which it is known to be so. */
  asOf: number;
  bytes: number;
}

const maxKeptBytes = 64 * 1024 * 1024;
/** More than streams have groups: what they follow is not forgotten for them. */
const maxViews = 10_000;
/** Of what a view asks for: two, and as much again for what holds short texts. */
const bytesPerLetter = 4;
/** Kinds are few, but for those behind a revision; then all begin anew. */
const maxAnswers = 100;
/** Smaller bodies fit into one packet as they are. */
const worthPackingBytes = 1024;

type Pack = (body: Buffer) => Promise<Buffer>;

/** Pieces become bytes in blocks of about this size. */
const blockLength = 256 * 1024;

/** In steps, a block each; undefined where they are more bytes than should be held at once. */
function* gather(pieces: Iterable<string>): Generator<void, Ready> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  let text = '';
  const take = () => {
    const block = Buffer.from(text);
    blocks.push(block);
    bytes += block.length;
    text = '';
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length < blockLength) continue;
    take();
    if (bytes > maxKeptBytes) return undefined;
    yield;
  }
  take();
  return blocks.length === 1 ? blocks[0] : Buffer.concat(blocks);
}

function createAnswer(
  name: string,
  pieces: () => Iterable<string>,
  { pack, grew }: { pack: Pack; grew: (bytes: number) => void },
): Answer {
  let body: Ready | Promise<Ready>;
  let isTooLarge = false;
  let packed: Ready | Promise<Ready>;
  const made = (bytes: Ready): Ready => {
    body = bytes;
    isTooLarge = bytes === undefined;
    if (bytes) grew(bytes.length);
    return bytes;
  };
  const plain = () => {
    if (body === undefined && !isTooLarge) {
      const making = inSlices(gather(pieces()));
      if (!(making instanceof Promise)) return made(making);
      body = making.then(made, (error) => {
        body = undefined;
        throw error;
      });
    }
    return body;
  };
  const packedOf = (bytes: Ready): Ready | Promise<Ready> => {
    if (packed !== undefined || !bytes || bytes.length < worthPackingBytes) return packed;
    packed = pack(bytes).then(
      (ready) => {
        packed = ready;
        grew(ready.length);
        return ready;
      },
      (error) => {
        packed = undefined;
        throw error;
      },
    );
    return packed;
  };
  return {
    entityTag: entityTagOf(name),
    plain,
    gzipped: async () => packed ?? packedOf(await plain()),
    pieces,
    atOnce: () => (Buffer.isBuffer(body) ? body : Buffer.from([...pieces()].join(''))),
  };
}

/** Keeps what views show until it changes. */
export function createAnswers(pack: Pack = promisify(gzip)): Show {
  /** By digest: V8 does not hash strings of more than 16,383 letters whole, so that those of one length collide. */
  const kept = createCache<string, Kept>({
    maxEntries: maxViews,
    maxCost: maxKeptBytes,
    costOf: ({ bytes }) => bytes,
  });
  /** The last snapshot, and how many there were: nothing that was made of an earlier one may keep it in memory. */
  let newest: Snapshot | undefined;
  let snapshots = 0;

  function keep(view: View, content: Content): Kept {
    const answers = new Map<string, Answer>();
    const own =
      1_000 +
      bytesPerLetter * view.length +
      8 * (content.features.length + content.segments.length);
    const grew = (bytes: number) => {
      if (kept.get(view.digest) !== made) return;
      made.bytes += bytes;
      kept.set(view.digest, made);
    };
    const beginAnew = () => {
      answers.clear();
      grew(own - made.bytes);
    };
    const shown: Shown = {
      view,
      content,
      find: (kind) => answers.get(kind),
      answer(kind, name, pieces) {
        const known = answers.get(kind);
        if (known) return known;
        if (answers.size >= maxAnswers) beginAnew();
        const answer = createAnswer(name, pieces, {
          pack,
          grew: (bytes) => {
            if (answers.get(kind) === answer) grew(bytes);
          },
        });
        answers.set(kind, answer);
        return answer;
      },
    };
    const made: Kept = { shown, asOf: snapshots, bytes: own };
    kept.set(view.digest, made);
    return made;
  }

  return (snapshot, view, before) => {
    if (snapshot !== newest) {
      newest = snapshot;
      snapshots += 1;
    }
    const found = kept.get(view.digest);
    const known = found?.shown.content;
    const isAsOf = found?.asOf === snapshots;
    const content = known && isAsOf ? known : contentAt(snapshot, view, known ?? before);
    if (!found || content !== known) return keep(view, content).shown;
    found.asOf = snapshots;
    return found.shown;
  };
}
