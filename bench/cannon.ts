import { connect } from 'node:net';
import { type Figure, figureOf } from './figure.ts';

export const connections = 8;

/** One request that is sent repeatedly. */
export interface Shot {
  /** `[<id>]` is replaced by another number in each request. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: string;
  /** Any other status is a failure: a fast refusal is no result. */
  readonly status: number;
}

const place = '[<id>]';

/** Yields the requests of a shot as bytes. */
function requestsOf({ url, headers, method = 'GET', body = '' }: Shot): () => string {
  const { host, pathname, search } = new URL(url.replace(place, '~'));
  const path = `${pathname}${search}`.replace('~', place);
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = [` HTTP/1.1`, `host: ${host}`, ...lines, ...length, '', body].join('\r\n');
  const [before = '', after] = path.split(place);
  if (after === undefined) {
    const same = `${method} ${path}${rest}`;
    return () => same;
  }
  let id = 0;
  return () => {
    id += 1;
    return `${method} ${before}${id}${after}${rest}`;
  };
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

interface Head {
  readonly status: number;
  /** The length of the response; undefined if only the last chunk ends it. */
  readonly length: number | undefined;
}

function headOf(received: Buffer): Head | undefined {
  const end = received.indexOf(headEnd);
  if (end < 0) return undefined;
  const text = received.toString('latin1', 0, end);
  const status = Number(text.slice(9, 12));
  if (status === 304 || status === 204) return { status, length: end + 4 };
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  return { status, length: length === undefined ? undefined : end + 4 + Number(length) };
}

/** A keep-alive connection that sends one request at a time. */
interface Line {
  /** Resolves with the status when the whole response has arrived. Bodies are counted, not parsed. */
  readonly ask: (request: string) => Promise<number>;
  readonly close: () => void;
}

function openLine(url: string): Line {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let beginning: Buffer | undefined;
  let head: Head | undefined;
  let received = 0;
  let arrived: (status: number) => void = () => undefined;
  let failed: (reason: Error) => void = () => undefined;
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error(`${url}: the connection was closed`)));
  socket.on('data', (bytes) => {
    received += bytes.length;
    if (!head) {
      beginning = beginning ? Buffer.concat([beginning, bytes]) : bytes;
      head = headOf(beginning);
      if (!head) return;
    }
    const { status, length } = head;
    const isWhole =
      length === undefined ? bytes.subarray(-7).equals(lastChunk) : received >= length;
    if (!isWhole) return;
    beginning = undefined;
    head = undefined;
    received = 0;
    arrived(status);
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        [arrived, failed] = [resolve, reject];
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Runs work on all connections at once. Each may send different requests; an unexpected status is a failure. */
export async function onLines(
  url: string,
  work: (ask: (shot: Shot) => Promise<void>) => Promise<void>,
): Promise<void> {
  const lines = Array.from({ length: connections }, () => openLine(url));
  try {
    await Promise.all(
      lines.map((line) =>
        work(async (shot) => {
          const status = await line.ask(requestsOf(shot)());
          if (status !== shot.status) throw new Error(`${shot.url}: ${status}, not ${shot.status}`);
        }),
      ),
    );
  } finally {
    for (const line of lines) line.close();
  }
}

/** How long the server and this client run before the measurement, so that their code is compiled. */
const warmUpSeconds = 2;

/**
 * Measures responses per second over all connections, and the duration of each. The client is written by hand, because
 * load and server share two cores: one that parses responses took half of the time for a body of 2.4 MB.
 */
export async function shotsPerSecond(
  shot: Shot,
  seconds: number,
  warmUp = warmUpSeconds,
): Promise<ReturnType<typeof figureOf> & Required<Pick<Figure, 'perSecond'>>> {
  const next = requestsOf(shot);
  const times: number[] = [];
  const began = performance.now() + warmUp * 1000;
  const until = began + seconds * 1000;
  const lines = Array.from({ length: connections }, () => openLine(shot.url.replace(place, '~')));
  const fire = async ({ ask }: Line) => {
    for (let asked = 0; asked < until; ) {
      asked = performance.now();
      const status = await ask(next());
      if (asked >= began) times.push(performance.now() - asked);
      if (status !== shot.status) throw new Error(`${shot.url}: ${status}, not ${shot.status}`);
    }
  };
  try {
    await Promise.all(lines.map(fire));
    return { ...figureOf(times), perSecond: (times.length * 1000) / (performance.now() - began) };
  } finally {
    for (const line of lines) line.close();
  }
}

/** Returns the entity tag of the response. */
export async function entityTag({ url, headers }: Shot): Promise<string> {
  const answer = await fetch(url, { headers: { ...headers } });
  await answer.arrayBuffer();
  return answer.headers.get('etag') ?? '';
}
