import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createCache } from '../../../platform/cache.ts';
import { inSlices } from '../../../platform/slices.ts';
import type { Snapshot } from '../snapshot/index.ts';
import { type Content, contentAt } from './content.ts';
import type { View } from './view.ts';

type Bytes = Buffer | undefined;

/** A response that is rendered once and cached for all clients, unless it is too large. */
export interface Answer {
  readonly entityTag: string;
  /** The response, or undefined if it is too large to cache. */
  readonly plain: () => Bytes | Promise<Bytes>;
  /** The compressed response. Undefined also if compression would save nothing. */
  readonly gzipped: () => Promise<Bytes>;
  /** The whole response, rendered again. */
  readonly pieces: () => Iterable<string>;
  /** The whole response, synchronously: the cached one, or rendered in one piece. */
  readonly atOnce: () => Buffer;
}

/** A weak tag, because plain and compressed responses share it. */
export const entityTagOf = (name: string): string => `W/"${name}"`;

/** The content of a view, with the responses rendered from it. */
export interface RenderedView {
  readonly view: View;
  readonly content: Content;
  /** Returns the response of this kind if it was requested before. */
  readonly find: (kind: string) => Answer | undefined;
  /** Returns the response of this kind, which is rendered when it is first read. */
  readonly answer: (kind: string, name: string, pieces: () => Iterable<string>) => Answer;
}

/** Renders a view of a snapshot. `before` is earlier content of the view, if the caller has it. */
export type RenderView = (snapshot: Snapshot, view: View, before?: Content) => RenderedView;

interface CachedView {
  readonly rendered: RenderedView;
  /** The number of the latest snapshot for which this content is current. */
  asOf: number;
  bytes: number;
}

const maxCachedBytes = 64 * 1024 * 1024;
/** A larger response is rendered for each reader. To find out, this much is rendered in vain once. */
const maxResponseBytes = maxCachedBytes / 4;
/** More than the maximum number of stream groups, so that requests never evict the views of streams. */
const maxViews = 10_000;
/** The cost of one character of a view: two bytes, and as much again for the objects around short texts. */
const bytesPerLetter = 4;
/** There are few kinds of responses, apart from updates since a revision. If there are too many, all are removed. */
const maxAnswers = 100;
/** Smaller bodies fit into one packet uncompressed. */
const worthPackingBytes = 1024;

type Pack = (body: Buffer) => Promise<Buffer>;

/** Pieces are converted to bytes in blocks of about this size. */
const blockLength = 256 * 1024;

/** Joins pieces, one block per step. Returns undefined if they are too large to cache. */
function* gather(pieces: Iterable<string>): Generator<void, Bytes> {
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
    if (bytes > maxResponseBytes) return undefined;
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
  let body: Bytes | Promise<Bytes>;
  let isTooLarge = false;
  let packed: Bytes | Promise<Bytes>;
  const made = (bytes: Bytes): Bytes => {
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
  const packedOf = (bytes: Bytes): Bytes | Promise<Bytes> => {
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

/** Renders views, and caches them until they change. */
export function createViewRenderer(pack: Pack = promisify(gzip)): RenderView {
  /**
   * Cached by digest: V8 does not hash all of a string longer than 16,383 characters, so such keys of equal length
   * collide.
   */
  const views = createCache<string, CachedView>({
    maxEntries: maxViews,
    maxCost: maxCachedBytes,
    costOf: ({ bytes }) => bytes,
  });
  /** The last snapshot, and their count. Nothing rendered from an earlier snapshot may keep it in memory. */
  let newest: Snapshot | undefined;
  let snapshots = 0;

  function keep(view: View, content: Content): CachedView {
    const answers = new Map<string, Answer>();
    const own =
      1_000 +
      bytesPerLetter * view.length +
      8 * (content.features.length + content.segments.length);
    const grew = (bytes: number) => {
      if (views.get(view.digest) !== made) return;
      made.bytes += bytes;
      views.set(view.digest, made);
    };
    const beginAnew = () => {
      answers.clear();
      grew(own - made.bytes);
    };
    const rendered: RenderedView = {
      view,
      content,
      find: (kind) => answers.get(kind),
      answer(kind, name, pieces) {
        const cached = answers.get(kind);
        if (cached) return cached;
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
    const made: CachedView = { rendered, asOf: snapshots, bytes: own };
    views.set(view.digest, made);
    return made;
  }

  return (snapshot, view, before) => {
    if (snapshot !== newest) {
      newest = snapshot;
      snapshots += 1;
    }
    const found = views.get(view.digest);
    const cached = found?.rendered.content;
    const isAsOf = found?.asOf === snapshots;
    const content = cached && isAsOf ? cached : contentAt(snapshot, view, cached ?? before);
    if (!found || content !== cached) return keep(view, content).rendered;
    found.asOf = snapshots;
    return found.rendered;
  };
}
