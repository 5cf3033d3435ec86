import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, test, vi } from 'vitest';
import { closeLater } from '../../../../../test/support/closing.ts';
import { createMailer } from './mail.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../../../../../test/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

const mail = { to: 'ada@example.com', subject: 'S', text: 'https://x/reset?token=link-canary' };

const settings = (port: number, overrides: object = {}) => ({
  host: '127.0.0.1',
  port,
  secure: false,
  requireTls: true,
  user: 'burgee',
  password: 'password-canary',
  sender: 'burgee@example.com',
  ...overrides,
});

/** A logger that collects its lines. */
const listen = () => {
  const lines: object[] = [];
  return { lines, log: { warn: (line: object) => void lines.push(line) } };
};

/** A mail server that records what it receives, and whether that was encrypted. */
async function startServer(options: SMTPServerOptions) {
  const seen: string[] = [];
  const server = new SMTPServer({
    onAuth: (_auth, { secure }, done) => {
      seen.push(secure ? 'password over TLS' : 'password in clear');
      done(null, { user: 'burgee' });
    },
    onData: (stream, { secure }, done) => {
      seen.push(secure ? 'mail over TLS' : 'mail in clear');
      stream.resume();
      stream.on('end', () => done());
    },
    ...options,
  });
  // A client that refuses the certificate.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  closeLater(() => new Promise<void>((closed) => server.close(() => closed())));
  return { seen, port: (listening.address() as AddressInfo).port };
}

const identity = { key: pem('key'), cert: pem('cert') };
const trusting = { tls: { ca: pem('cert'), servername: 'receiver.test' } };

describe('with encryption required', () => {
  test.each([
    ['STARTTLS', false],
    ['TLS from the first byte', true],
  ])('password and email are sent over %s', async (_, secure) => {
    const { seen, port } = await startServer({ ...identity, secure });
    const { lines, log } = listen();
    const mailer = createMailer(
      { mail: settings(port, { secure, requireTls: !secure }) },
      log,
      trusting,
    );
    expect(await mailer.send(mail)).toBe(true);
    expect(seen).toEqual(['password over TLS', 'mail over TLS']);
    expect(lines).toEqual([]);
  });

  test.each([
    ['is of an untrusted authority', { tls: { servername: 'receiver.test' } }, 'cert'],
    ['has another host name', { tls: { ca: pem('cert'), servername: 'other.test' } }, 'cert'],
    [
      'has expired',
      { tls: { ca: pem('expired-cert'), servername: 'receiver.test' } },
      'expired-cert',
    ],
  ])('nothing is sent to a server whose certificate %s', async (_, options, certificate) => {
    for (const secure of [false, true]) {
      const { seen, port } = await startServer({ ...identity, cert: pem(certificate), secure });
      const { lines, log } = listen();
      const mailer = createMailer({ mail: settings(port, { secure }) }, log, options);
      expect(await mailer.send(mail)).toBe(false);
      expect(seen).toEqual([]);
      expect(lines).toEqual([
        { code: 'ESOCKET', advice: expect.stringContaining('Check its certificate') },
      ]);
    }
  });

  test.each([
    ['does not offer STARTTLS', { hideSTARTTLS: true }],
    ['refuses STARTTLS', { disabledCommands: ['STARTTLS'] }],
    ['knows HELO only', { disabledCommands: ['STARTTLS', 'EHLO'] }],
  ])('nothing is sent to a server that %s, and the log has advice', async (_, options) => {
    // Its certificate is not trusted, because STARTTLS is tried even if the server does not offer it.
    const { seen, port } = await startServer({ ...identity, ...options });
    const { lines, log } = listen();
    expect(await createMailer({ mail: settings(port) }, log).send(mail)).toBe(false);
    expect(seen).toEqual([]);
    expect(lines).toEqual([{ code: expect.stringMatching(/^E/), advice: expect.any(String) }]);
    expect(JSON.stringify(lines)).not.toMatch(/canary|ada@/);
  });

  test('neither password nor email is sent to a server that rejects STARTTLS', async () => {
    const { said, port } = await startReplies(({ command }) =>
      command === 'EHLO' ? '250-mail.test\r\n250 AUTH PLAIN\r\n' : '502 No\r\n',
    );
    const { lines, log } = listen();
    expect(await createMailer({ mail: settings(port) }, log).send(mail)).toBe(false);
    expect(said.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
    expect(lines).toEqual([
      { code: 'ETLS', advice: expect.stringContaining('does not offer STARTTLS') },
    ]);
  });
});

test('with plain text allowed, an email is sent without encryption', async () => {
  const { seen, port } = await startServer({ disabledCommands: ['STARTTLS'] });
  const mailer = createMailer({ mail: settings(port, { requireTls: false }) }, listen().log);
  expect(await mailer.send(mail)).toBe(true);
  expect(seen).toEqual(['password in clear', 'mail in clear']);
});

interface ReceivedLine {
  readonly command: string;
  readonly socket: Socket;
}

/** A server that replies to each line as the test decides. The empty line stands for the greeting. */
async function startReplies(reply: (told: ReceivedLine) => string | undefined) {
  const said: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const answer = (line: string) => {
      const command = line.split(/[ :\r]/)[0]?.toUpperCase() ?? '';
      const text = reply({ command, socket });
      if (text !== undefined) socket.write(text);
    };
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const line = String(chunk);
      said.push(line.trim());
      answer(line);
    });
    if (reply({ command: '', socket }) !== undefined) socket.write('220 mail.test\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { said, sockets, port: (server.address() as AddressInfo).port };
}

const replies: Readonly<Record<string, string>> = {
  '': '220 mail.test\r\n',
  EHLO: '250 mail.test\r\n',
  MAIL: '250 OK\r\n',
  RCPT: '250 OK\r\n',
  DATA: '354 Go on\r\n',
};

describe('the deadline of an email', () => {
  const timeout = () => new DOMException('too late', 'TimeoutError');

  test('is 30 seconds', async () => {
    const deadlines = vi.spyOn(AbortSignal, 'timeout');
    const { port } = await startServer({ disabledCommands: ['STARTTLS'] });
    const mailer = createMailer({ mail: settings(port, { requireTls: false }) }, listen().log);
    expect(await mailer.send(mail)).toBe(true);
    expect(deadlines).toHaveBeenCalledWith(30_000);
    deadlines.mockRestore();
  });

  test.each(['', 'EHLO', 'MAIL', 'DATA'])(
    'ends the connection to a server that sends endless lines instead of a reply to %j',
    async (stage) => {
      let drops = 0;
      const deadline = new AbortController();
      const { sockets, port } = await startReplies(({ command, socket }) => {
        if (command !== stage) return replies[command] ?? '250 OK\r\n';
        const drip = setInterval(() => {
          socket.write('250-wait\r\n');
          drops += 1;
          // It was never silent, so no other limit ended it.
          if (drops === 5) deadline.abort(timeout());
        }, 1);
        socket.once('close', () => clearInterval(drip));
        return undefined;
      });
      const { lines, log } = listen();
      const mailer = createMailer(
        { mail: settings(port, { requireTls: false, user: undefined }) },
        log,
        { newDeadline: () => deadline.signal },
      );
      expect(await mailer.send(mail)).toBe(false);
      expect(lines).toEqual([
        { code: expect.anything(), advice: 'the mail server took too long for one email' },
      ]);
      await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
    },
  );

  test('also ends emails that wait: four are sent at a time, a hundred wait and more are rejected', async () => {
    const { sockets, port } = await startReplies(() => undefined);
    const deadline = new AbortController();
    const { lines, log } = listen();
    const mailer = createMailer({ mail: settings(port) }, log, {
      newDeadline: () => AbortSignal.any([deadline.signal]),
      timeoutMs: 600_000,
    });
    const sending = Array.from({ length: 104 }, () => mailer.send(mail));
    await expect.poll(() => sockets.length).toBe(4);
    // One more is rejected at once.
    expect(await mailer.send(mail)).toBe(false);
    expect(lines).toHaveLength(1);
    deadline.abort(timeout());
    expect(new Set(await Promise.all(sending))).toEqual(new Set([false]));
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(sockets).toHaveLength(4);
  });

  test('prevents the connection if it has already passed', async () => {
    const { sockets, port } = await startReplies(() => undefined);
    const mailer = createMailer({ mail: settings(port) }, listen().log, {
      newDeadline: () => AbortSignal.abort(timeout()),
    });
    expect(await mailer.send(mail)).toBe(false);
    expect(sockets).toEqual([]);
  });
});
