import { connect } from 'node:net';
import type { Crowd } from './crowds.ts';

type Given = Crowd & { readonly port: number };

/** Opens many connections that all send the same at once. Ends when all were answered, or after a time. */
const { port, connections, text, lastBytes, readsResponses, seconds } = await new Promise<Given>(
  (resolve) => process.once('message', (given) => resolve(given as Given)),
);

const whole = Buffer.from(text);
const early = whole.subarray(0, whole.length - lastBytes);
const late = whole.subarray(whole.length - lastBytes);

const open = (nth: number) => {
  // An address of its own, because the server treats callers without an account by address.
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  const own = (bytes: Buffer) =>
    bytes.toString('latin1').replaceAll('{nth}', String(nth).padStart('{nth}'.length, '0'));
  const isReady = new Promise<void>((resolve) => {
    socket.once('connect', () => socket.write(own(early), 'latin1', () => resolve()));
    socket.once('error', () => resolve());
  });
  const isOver = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  const statuses: string[] = [];
  if (readsResponses) {
    socket.on('data', (chunk: Buffer) => {
      for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        statuses.push(String(status));
      }
    });
  } else {
    socket.pause();
  }
  socket.on('error', () => undefined);
  return { socket, isReady, isOver, statuses, finish: () => socket.write(own(late), 'latin1') };
};

const all = Array.from({ length: connections }, (_, nth) => open(nth));
// Bodies that are no longer small wait for a permit, and are never written completely.
await Promise.race([
  Promise.all(all.map(({ isReady }) => isReady)),
  new Promise((resolve) => setTimeout(resolve, 2_000)),
]);
process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
for (const { finish } of all) finish();
await Promise.race([
  Promise.all(all.map(({ isOver }) => isOver)),
  new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
]);
const counts: Record<string, number> = {};
for (const { statuses } of all) {
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
}
process.send?.(counts);
for (const { socket } of all) socket.destroy();
process.disconnect();
