import { createServer, type RequestListener } from 'node:http';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { OutgoingError } from '../../src/platform/outgoing/outgoing.ts';

/** The error of a request that was not sent. */
export const failureOf = (sent: Promise<unknown>): Promise<OutgoingError> =>
  sent.then(
    () => expect.unreachable('there was an answer'),
    (error) => {
      expect(error).toBeInstanceOf(OutgoingError);
      return error as OutgoingError;
    },
  );

/** Starts a server for the duration of the test and collects its connections. */
export async function listening(server: Server, host = '127.0.0.1') {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const where = `127.0.0.1:${port}`;
  return { port, where, url: `http://${where}`, sockets };
}

export const receiver = (listener: RequestListener) => listening(createServer(listener));

/** A receiver that writes raw bytes after it received something. */
export const rawReceiver = (answer: (socket: Socket) => void) =>
  listening(
    createRawServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    }),
  );
