import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailSettings } from '../../src/platform/module.ts';
import { closeLater } from './closing.ts';

/** Options of a mailer that no busy machine makes give up. */
export const patient = {
  timeoutMs: 600_000,
  newDeadline: () => new AbortController().signal,
};

/** A mail server that keeps all messages. */
export async function mailbox(): Promise<{ settings: MailSettings; mails: string[] }> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      // Quoted-printable: long lines end with =, and = itself is =3D.
      mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const settings = {
    host: '127.0.0.1',
    port,
    secure: false,
    requireTls: false,
    user: undefined,
    password: undefined,
    sender: 'burgee@example.com',
  };
  return { settings, mails };
}
