import { pipeline, type Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { takesGzip } from './accept-encoding.ts';
import { addVary } from './vary.ts';

/** Smaller bodies fit into one packet uncompressed. */
export const worthCompressingBytes = 1024;
/**
 * JSON of 94 kB becomes 9.0 kB in 0.7 ms, on libuv's threads. Level 6 takes 0.2 ms longer for 8.2 kB.
 * So does Brotli at level 4, and it needs three times the memory.
 */
const level = 4;
/** Of streams, which may have gigabytes: level 4 takes twice as long and saves an eighth. */
const streamLevel = 1;

/**
 * Returns whether responses of an endpoint are compressed. The length of a compressed response reveals whether a secret
 * in it contains what the caller made the server repeat (BREACH). Public endpoints sign people in; their responses are
 * short.
 */
const isCompressible = ({ permission, secretInResponse }: Endpoint): boolean =>
  permission !== 'public' && !secretInResponse;

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Partial<Readable> | null)?.pipe === 'function';

const isLong = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  Buffer.byteLength(payload) >= worthCompressingBytes;

/** An error may take the place of a stream that failed before its first byte, and Node has its headers already. */
function forgetEncoding(reply: FastifyReply): void {
  reply.removeHeader('content-encoding');
  if (!reply.raw.headersSent) reply.raw.removeHeader('content-encoding');
}

/**
 * Compresses responses over 1 kB for clients that accept gzip. Prepared responses arrive compressed; event streams
 * bypass the hooks, and so stay as they are. `@fastify/compress` would stream every response and so lose Content-Length.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) {
      forgetEncoding(reply);
      done();
      return;
    }
    const endpoint = request.routeConfig?.endpoint;
    if (!endpoint || !isCompressible(endpoint)) {
      done();
      return;
    }
    addVary(reply, 'Accept-Encoding');
    if (reply.hasHeader('content-encoding') || !takesGzip(request.headers['accept-encoding'])) {
      done();
      return;
    }
    if (isLong(payload)) {
      gzip(payload, { level }, (error, compressed) => {
        if (error) {
          done();
          return;
        }
        reply.removeHeader('content-length').header('content-encoding', 'gzip');
        done(null, compressed);
      });
      return;
    }
    // HEAD has no body, and its stream is not read.
    if (!isStream(payload) || request.method === 'HEAD') {
      done();
      return;
    }
    const compressing = createGzip({ level: streamLevel });
    reply.removeHeader('content-length').header('content-encoding', 'gzip');
    // The reply receives an error through the stream that it reads, and closes it if the client leaves.
    done(
      null,
      pipeline(payload, compressing, () => undefined),
    );
  });
}
