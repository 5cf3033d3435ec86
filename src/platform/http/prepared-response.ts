import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCache } from '../cache.ts';
import { callerOf } from '../caller-address.ts';
import { createKeyedSemaphore } from '../semaphore.ts';
import { inSlices } from '../slices.ts';
import { takesGzip } from './accept-encoding.ts';
import { worthCompressingBytes } from './compression.ts';
import { isNamed } from './entity-tag.ts';
import { holdUntilClosed } from './leaving.ts';
import { inBlocks } from './long-json.ts';

/** A JSON response that is rendered and compressed once for everyone who gets it, unless it is too large to cache. */
export interface PreparedResponse {
  readonly entityTag: string;
  /** Undefined if it is too large to cache. */
  readonly plain: () => Promise<Buffer | undefined>;
  /** Undefined also if compression would save nothing. */
  readonly gzipped: () => Promise<Buffer | undefined>;
  /** The whole response, rendered again. */
  readonly pieces: () => Iterable<string>;
  /** The whole response at once: the cached one, or rendered in one piece. */
  readonly atOnce: () => Buffer;
}

interface ResponseSource {
  /** What the response is about. There is one response for each key. */
  readonly key: string;
  /** The response is rendered again if this is another value. */
  readonly version: unknown;
  readonly entityTag: string;
  readonly pieces: () => Iterable<string>;
}

export type PrepareResponse = (source: ResponseSource) => PreparedResponse;

interface Options {
  /** Of all cached responses together, plain and compressed. A response with more than a quarter of it is not cached. */
  readonly maxBytes: number;
  /** Of gzip. Without it, responses are not compressed. */
  readonly level?: number;
  readonly compress?: (body: Buffer, options: { readonly level: number }) => Promise<Buffer>;
}

interface CachedResponse {
  readonly version: unknown;
  readonly response: PreparedResponse;
  bytes: number;
}

const compressWithGzip = promisify(gzip);
/** Pieces are converted to bytes in blocks of about this size. */
const blockLength = 256 * 1024;
/** The cost of a cached response besides its bytes and its key. */
const overheadBytes = 1_000;

/** Joins pieces, one block per step. Returns undefined if they have more than `maxBytes`. */
function* joined(pieces: Iterable<string>, maxBytes: number): Generator<void, Buffer | undefined> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < blockLength) continue;
    blocks.push(Buffer.from(text));
    bytes += text.length;
    text = '';
    if (bytes > maxBytes) return undefined;
    yield;
  }
  blocks.push(Buffer.from(text));
  return blocks.length === 1 ? blocks[0] : Buffer.concat(blocks);
}

/** Calls a function once. After a failure, the next caller tries again. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/** Prepares a response. `onRendered` gets the bytes of each form. */
function createResponse(
  { entityTag, pieces }: Pick<ResponseSource, 'entityTag' | 'pieces'>,
  { maxBytes, level, compress = compressWithGzip }: Options,
  onRendered: (bytes: number) => void,
): PreparedResponse {
  let body: Buffer | undefined;
  const plain = once(async () => {
    body = await inSlices(joined(pieces(), maxBytes / 4));
    onRendered(body?.length ?? 0);
    return body;
  });
  const gzipped = once(async () => {
    if (level === undefined) return undefined;
    const bytes = await plain();
    if (!bytes || bytes.length < worthCompressingBytes) return undefined;
    const compressed = await compress(bytes, { level });
    onRendered(compressed.length);
    return compressed;
  });
  const atOnce = () => body ?? Buffer.from([...pieces()].join(''));
  return { entityTag, plain, gzipped, pieces, atOnce };
}

/** Prepares a response for one client, without a cache. */
export const prepareForOne = (
  source: Pick<ResponseSource, 'entityTag' | 'pieces'>,
): PreparedResponse =>
  createResponse(source, { maxBytes: Number.POSITIVE_INFINITY }, () => undefined);

/** Prepares responses, and caches those that were requested last. */
export function createPreparedResponses(options: Options): PrepareResponse {
  const cache = createCache<string, CachedResponse>({
    maxCost: options.maxBytes,
    costOf: ({ bytes }) => bytes,
  });
  return (source) => {
    const { key, version } = source;
    const cached = cache.get(key);
    if (cached && cached.version === version) return cached.response;
    const response = createResponse(source, options, (bytes) => {
      entry.bytes += bytes;
      if (cache.get(key) === entry) cache.set(key, entry);
    });
    const entry = { version, response, bytes: overheadBytes + 2 * key.length };
    cache.set(key, entry);
    return response;
  };
}

/**
 * Responses that are too large to cache are rendered for each reader. A hundred at once took 600 MB. Applications share
 * tokens, so the address counts.
 */
const streamed = createKeyedSemaphore<string>(2, {
  maxWaiting: 200,
  refusal: 'Too many large responses for this IP address are in progress. Try again later',
});

/** Sends a response, or 304 if the client has it already. */
export async function sendPrepared(
  { headers, ip }: FastifyRequest,
  reply: FastifyReply,
  response: PreparedResponse,
  isKnown = false,
): Promise<FastifyReply> {
  const { entityTag } = response;
  const acceptsGzip = takesGzip(headers['accept-encoding']);
  // A strong tag would promise the same bytes to clients that do not accept gzip.
  const isWeakened = acceptsGzip && entityTag.startsWith('"');
  reply
    .header('etag', isWeakened ? `W/${entityTag}` : entityTag)
    .header('cache-control', 'private, no-cache');
  if (isKnown || isNamed(headers['if-none-match'], entityTag)) return reply.status(304).send();
  reply.header('content-type', 'application/json; charset=utf-8');
  const gzipped = acceptsGzip ? await response.gzipped() : undefined;
  if (gzipped) return reply.header('content-encoding', 'gzip').send(gzipped);
  const plain = await response.plain();
  if (plain) return reply.send(plain);
  await holdUntilClosed(reply, (signal) => streamed.acquire(callerOf(ip), signal));
  return sendPieces(reply, response.pieces());
}

/** Streams a response while it is rendered, at the speed of its reader. */
export const sendPieces = (reply: FastifyReply, pieces: Iterable<string>): FastifyReply =>
  reply.send(Readable.from(inBlocks(pieces), { objectMode: false }));
