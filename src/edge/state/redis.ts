import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import type { StateStore } from './state.ts';

const timeoutMs = 5_000;
/** How often a write begins again because another edge wrote meanwhile: edges get a change at the same time. */
const mostTries = 10;

type Reply = string | number | null | Error;

/**
 * Parses one reply of the protocol (RESP2), of a list the last one in it. Without a reply, it has not arrived completely:
 * it has at least `length` bytes.
 */
function parseReply(bytes: Buffer): { reply?: Reply; length: number } {
  const end = bytes.indexOf('\r\n');
  if (end < 0) return { length: bytes.length + 1 };
  const kind = String.fromCharCode(bytes[0] as number);
  const line = bytes.toString('utf8', 1, end);
  const length = end + 2;
  if (kind === '+') return { reply: line, length };
  if (kind === '-') return { reply: new Error(`Redis: ${line}`), length };
  if (kind === ':') return { reply: Number(line), length };
  if (kind !== '$' && kind !== '*') throw new Error('Redis: an unknown reply');
  const size = Number(line);
  if (size < 0) return { reply: null, length };
  if (kind === '*') {
    let [reply, at]: [Reply, number] = [size, length];
    for (let nth = 0; nth < size; nth += 1) {
      const item = parseReply(bytes.subarray(at));
      at += item.length;
      if (item.reply === undefined) return { length: at };
      reply = item.reply;
    }
    return { reply, length: at };
  }
  const whole = length + size + 2;
  if (bytes.length < whole) return { length: whole };
  return { reply: bytes.toString('utf8', length, length + size), length: whole };
}

const command = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

interface Connection {
  /** Sends commands, and returns the reply to the last one. Rejects if one of them fails. */
  readonly send: (commands: readonly (readonly string[])[]) => Promise<Reply>;
  readonly end: () => void;
}

function connect(address: URL): Connection {
  const isSecure = address.protocol === 'rediss:';
  const target = {
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: Number(address.port || 6379),
  };
  const socket = isSecure
    ? tls.connect({ ...target, servername: net.isIP(target.host) === 0 ? target.host : '' })
    : net.connect(target);
  let waiting: { resolve: (reply: Reply) => void; reject: (error: unknown) => void } | undefined;
  let failure: unknown;
  let left = 0;
  const fail = (error: unknown) => {
    failure ??= error;
    socket.destroy();
    waiting?.reject(failure);
  };
  let chunks: Buffer[] = [];
  let arrived = 0;
  /** A large reply arrives in thousands of chunks, which are joined once. */
  let needed = 1;
  socket.setTimeout(timeoutMs, () => fail(new Error('Redis does not respond')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('Redis closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    arrived += chunk.length;
    if (arrived < needed) return;
    try {
      let bytes = Buffer.concat(chunks);
      for (;;) {
        const { reply, length } = parseReply(bytes);
        needed = length;
        if (reply === undefined) break;
        if (reply instanceof Error) return fail(reply);
        left -= 1;
        if (left === 0) waiting?.resolve(reply);
        bytes = bytes.subarray(length);
      }
      chunks = [bytes];
      arrived = bytes.length;
    } catch (error) {
      fail(error);
    }
  });
  return {
    send: (commands) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting = { resolve, reject };
        left = commands.length;
        socket.write(commands.map(command).join(''));
      }),
    end: () => socket.destroy(),
  };
}

/**
 * The last state in Redis, where a new edge finds it that has no disk. A few commands every few seconds at most need no
 * pool, and no client library: a connection is opened for each use.
 */
export function openRedis(redisUrl: string, prefix: string): StateStore {
  const address = new URL(redisUrl);
  const [user, password] = [address.username, address.password].map(decodeURIComponent);
  const database = address.pathname.replace(/^\//, '');
  const begin = [
    ...(password ? [user ? ['AUTH', user, password] : ['AUTH', password]] : []),
    ...(database ? [['SELECT', database]] : []),
  ];
  const keyOf = (name: string) => `burgee-edge:${prefix}:${name}`;

  async function withConnection<Result>(work: (connection: Connection) => Promise<Result>) {
    const connection = connect(address);
    try {
      return await work(connection);
    } finally {
      connection.end();
    }
  }

  return {
    // Several edges may share it.
    keepsUsage: false,
    read: (name) =>
      withConnection(async ({ send }) => {
        const reply = await send([...begin, ['GET', keyOf(name)]]);
        return typeof reply === 'string' ? reply : undefined;
      }),
    write: (name, textFrom) =>
      withConnection(async ({ send }) => {
        const key = keyOf(name);
        for (let tries = 0; tries < mostTries; tries += 1) {
          const before = tries === 0 ? begin : [];
          const stored = await send([...before, ['WATCH', key], ['GET', key]]);
          const text = textFrom(typeof stored === 'string' ? stored : undefined);
          // Null: the key was changed since it was watched.
          if ((await send([['MULTI'], ['SET', key, text], ['EXEC']])) !== null) return;
          await pause(100 * Math.random());
        }
        throw new Error('Redis: other edges kept writing');
      }),
  };
}
