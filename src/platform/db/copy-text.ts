import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** The parts of the driver's connection that COPY needs. Its types leave them out. */
interface CopyConnection {
  readonly stream: Socket;
  readonly query: (text: string) => void;
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (reason: string) => void;
}

/** Rows arrive one by one and are passed on in blocks of this size. */
const blockBytes = 256 * 1024;

/**
 * Reads the rows of a COPY statement in the text format. The socket is paused while the reader is behind, so that the
 * memory does not depend on the size of the table.
 */
export function copyTextOut(client: pg.Client, statement: string): Readable {
  let socket: Socket | undefined;
  let block = Buffer.allocUnsafe(blockBytes);
  let used = 0;
  const rows = new Readable({
    highWaterMark: blockBytes,
    read: () => void socket?.resume(),
  });
  const flush = () => {
    if (used === 0) return;
    const isRoom = rows.push(block.subarray(0, used));
    block = Buffer.allocUnsafe(blockBytes);
    used = 0;
    if (!isRoom) socket?.pause();
  };
  client.query({
    submit: (given: unknown) => {
      const connection = given as CopyConnection;
      socket = connection.stream;
      connection.query(statement);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (used + chunk.length > blockBytes) flush();
      // The driver overwrites the chunk.
      if (chunk.length > blockBytes) {
        if (!rows.push(Buffer.from(chunk))) socket?.pause();
        return;
      }
      used += chunk.copy(block, used);
    },
    handleCommandComplete: flush,
    handleError: (error: Error) => void rows.destroy(error),
    handleReadyForQuery: () => void rows.push(null),
  });
  return rows;
}

/** Sends rows in the text format to a COPY statement. Returns the number of rows that PostgreSQL stored. */
export async function copyTextIn(
  client: pg.Client,
  statement: string,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  let stored = 0;
  let failure: Error | undefined;
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => {
      failure ??= error;
      reject(error);
    };
  });
  failed.catch(() => undefined);

  async function send({ stream, sendCopyFromChunk, endCopyFrom, sendCopyFail }: CopyConnection) {
    try {
      for await (const chunk of rows) {
        if (failure) return;
        sendCopyFromChunk(chunk);
        if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), failed]);
      }
      if (!failure) endCopyFrom();
    } catch (error) {
      if (failure) return;
      failure = error as Error;
      sendCopyFail('the rows cannot be read');
    }
  }

  await new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: unknown) => (connection as CopyConnection).query(statement),
      handleCopyInResponse: (given: unknown) => {
        const connection = given as CopyConnection;
        const bound = {
          stream: connection.stream,
          query: connection.query.bind(connection),
          sendCopyFromChunk: connection.sendCopyFromChunk.bind(connection),
          endCopyFrom: connection.endCopyFrom.bind(connection),
          sendCopyFail: connection.sendCopyFail.bind(connection),
        };
        void send(bound);
      },
      handleCommandComplete: ({ text }: { text: string }) => {
        stored = Number(text.split(' ').at(-1));
      },
      handleError: (error: Error) => {
        // PostgreSQL reports the failure of our rows as its own. The first one says why.
        fail(error);
        reject(failure);
      },
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    });
  });
  return stored;
}
