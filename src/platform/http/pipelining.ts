import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many bytes Node parses at a time. It would parse everything that it read, up to 64 KiB: 3,600 requests of 18
 * bytes, which took 9 MB and blocked all others for 30 ms, for each of a hundred connections.
 */
const sliceBytes = 2 * 1024;
/** A connection with this much unparsed input is not read. Below it, a client that disconnects is noticed at once. */
const maxUnparsedBytes = 16 * 1024;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Passes requests of a connection to the handler, one after the other. */
function takeTurns(socket: Socket, handle: Handle): Handle {
  let isBusy = false;
  /** Requests that were sent without waiting for the response before them. */
  const requests: [IncomingMessage, ServerResponse][] = [];
  /** Input that was read and not parsed yet. */
  const unparsed: Buffer[] = [];
  let unparsedBytes = 0;
  const [parse] = socket.listeners('data') as ((slice: Buffer) => void)[];
  if (!parse) throw new Error('the HTTP server does not listen to its connection');

  /** Parses until a request has to wait or Node wants no more. A destroyed connection has no parser any more. */
  function parseSlices(): void {
    while (requests.length === 0 && !socket.isPaused() && !socket.destroyed) {
      const [chunk] = unparsed;
      if (!chunk) return;
      const slice = chunk.length <= sliceBytes ? chunk : chunk.subarray(0, sliceBytes);
      if (slice === chunk) unparsed.shift();
      else unparsed[0] = chunk.subarray(sliceBytes);
      unparsedBytes -= slice.length;
      parse?.(slice);
    }
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    isBusy = true;
    response.once('close', end);
    handle(request, response);
  }

  /** The next request begins in another turn of the event loop, so that connections take turns. */
  function end(): void {
    if (requests.length > 0 || unparsed.length > 0) setImmediate(beginNext);
    else isBusy = false;
  }

  function beginNext(): void {
    isBusy = false;
    if (socket.destroyed || socket.writableEnded) return;
    const next = requests.shift();
    if (next) begin(...next);
    // Also if a request has just begun, because its body may be unparsed.
    if (requests.length > 0) return;
    if (socket.isPaused()) socket.resume();
    else parseSlices();
  }

  // Takes the place of Node's listener, which parses everything at once.
  socket.on('data', (chunk: Buffer) => {
    unparsed.push(chunk);
    unparsedBytes += chunk.length;
    parseSlices();
    if (unparsedBytes > maxUnparsedBytes) socket.pause();
  });
  socket.off('data', parse);
  socket.on('resume', parseSlices);
  socket.once('close', () => {
    requests.length = 0;
    unparsed.length = 0;
  });

  return (request, response) => {
    if (isBusy) requests.push([request, response]);
    else begin(request, response);
  };
}

/**
 * Makes every connection prepare one response at a time. Node begins all requests that a client sent without waiting,
 * and stores their responses until the client reads them: 44 kB of requests cost 12 s and 1.4 GB. Here, the next
 * request begins when the response before it was sent.
 */
export function limitPipelining(server: Server, handle: Handle): void {
  const connections = new WeakMap<Socket, Handle>();
  server.on('connection', (socket) => connections.set(socket, takeTurns(socket, handle)));
  server.on('request', (request, response) => connections.get(request.socket)?.(request, response));
}
