import net from 'node:net';
import tls from 'node:tls';
import type { StateStore } from './state.ts';

const timeoutMs = 5_000;

type Reply = string | number | null | Error;

/** Parses one reply of the protocol (RESP2). Undefined if it has not arrived completely. */
function parseReply(bytes: Buffer): { reply: Reply; length: number } | undefined {
  const end = bytes.indexOf('\r\n');
  if (end < 0) return undefined;
  const kind = String.fromCharCode(bytes[0] as number);
  const line = bytes.toString('utf8', 1, end);
  const length = end + 2;
  if (kind === '+') return { reply: line, length };
  if (kind === '-') return { reply: new Error(`Redis: ${line}`), length };
  if (kind === ':') return { reply: Number(line), length };
  if (kind !== '$') throw new Error('Redis: an unknown reply');
  const size = Number(line);
  if (size < 0) return { reply: null, length };
  if (bytes.length < length + size + 2) return undefined;
  return { reply: bytes.toString('utf8', length, length + size), length: length + size + 2 };
}

const command = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/** Sends commands on a connection of their own, and returns the last reply. */
function send(address: URL, commands: readonly (readonly string[])[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const isSecure = address.protocol === 'rediss:';
    const target = {
      host: address.hostname.replace(/^\[|\]$/g, ''),
      port: Number(address.port || 6379),
    };
    const socket = isSecure
      ? tls.connect({ ...target, servername: net.isIP(target.host) === 0 ? target.host : '' })
      : net.connect(target);
    const chunks: Buffer[] = [];
    let left = commands.length;
    const settle = (outcome: () => void) => {
      socket.destroy();
      outcome();
    };
    socket.setTimeout(timeoutMs, () => settle(() => reject(new Error('Redis does not respond'))));
    socket.on('error', (error) => settle(() => reject(error)));
    socket.on('close', () => settle(() => reject(new Error('Redis closed the connection'))));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      try {
        let bytes = Buffer.concat(chunks);
        for (let found = parseReply(bytes); found; found = parseReply(bytes)) {
          const { reply, length } = found;
          if (reply instanceof Error) return settle(() => reject(reply));
          left -= 1;
          if (left === 0) return settle(() => resolve(reply));
          bytes = bytes.subarray(length);
          chunks.splice(0, chunks.length, bytes);
        }
      } catch (error) {
        settle(() => reject(error));
      }
    });
    socket.write(commands.map(command).join(''));
  });
}

/**
 * The last state in Redis, where a new edge finds it that has no disk. Two commands every few seconds at most need no
 * pool, and no client library: a connection is opened for each.
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
  return {
    // Several edges may share it.
    keepsUsage: false,
    async read(name) {
      const reply = await send(address, [...begin, ['GET', keyOf(name)]]);
      return typeof reply === 'string' ? reply : undefined;
    },
    async write(name, text) {
      await send(address, [...begin, ['SET', keyOf(name), text]]);
    },
  };
}
