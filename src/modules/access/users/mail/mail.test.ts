import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { closeLater } from '../../../../../test/support/closing.ts';
import { createLogger } from '../../../../platform/log.ts';
import { createMailer } from './mail.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

const received: Received[] = [];
let app: TestApp;
let port: number;

const refusing = 'refused@example.com';

const settings = (overrides: object = {}) => ({
  host: '127.0.0.1',
  port,
  secure: false,
  requireTls: false,
  user: 'burgee',
  password: 'mail-canary-password',
  sender: 'Burgee <burgee@example.com>',
  ...overrides,
});

/** The text of a mail without the line breaks of its encoding. */
const plain = (text: string) =>
  text.replace(/=\r\n/g, '').replace(/=3D/g, '=').replace(/\r\n/g, '\n');

beforeAll(async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'burgee' && password === 'mail-canary-password'
        ? done(null, { user: username })
        : done(new Error('who are you')),
    onRcptTo: ({ address }, _session, done) =>
      address === refusing ? done(new Error(`no ${address} here`)) : done(),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          text: plain(Buffer.concat(chunks).toString('utf8')),
        });
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  port = (listening.address() as AddressInfo).port;
  closeLater(() => new Promise<void>((closed) => server.close(() => closed())));
  app = await testApp({ config: { mail: settings(), baseUrl: 'https://flags.example.com' } });
});

const admin = '/api/admin/user-admin';
const create = (payload: object) =>
  app.ask(`POST ${admin}`, { payload: { rootRole: 3, ...payload } });

describe('with mail configured', () => {
  test('an invitation is sent with its link', async () => {
    const response = await create({ email: 'Ada@Example.com', name: 'Ada' });
    expect(response.statusCode).toBe(201);
    const { inviteLink, emailSent } = response.json();
    expect(emailSent).toBe(true);
    expect(inviteLink).toMatch(/^https:\/\/flags\.example\.com\/new-user\?token=[0-9a-f]{56}$/);
    const mail = received.at(-1);
    expect(mail).toMatchObject({ from: 'burgee@example.com', to: ['Ada@example.com'] });
    expect(mail?.text).toContain("Subject: You're invited to Burgee");
    expect(mail?.text).toContain('Hi Ada,');
    expect(mail?.text).toContain(inviteLink);
  });

  test('a password reset link is sent and returned', async () => {
    const { id } = (await create({ email: 'reset@example.com', sendEmail: false })).json();
    const response = await app.ask(`POST ${admin}/reset-password`, { payload: { id } });
    const { resetPasswordUrl, emailSent } = response.json();
    expect(emailSent).toBe(true);
    expect(received.at(-1)).toMatchObject({
      to: ['reset@example.com'],
      text: expect.stringContaining(resetPasswordUrl),
    });
  });

  test('no invitation is sent without an email, with a password or with sendEmail=false', async () => {
    const before = received.length;
    for (const payload of [
      { username: 'unaddressed' },
      { email: 'with-one@example.com', password: 'a fine long phrase 17' },
      { email: 'unwanted@example.com', sendEmail: false },
    ]) {
      expect((await create(payload)).json()).toMatchObject({ emailSent: false });
    }
    expect((await create({ email: 'unwanted@example.com' })).statusCode).toBe(409);
    expect(received).toHaveLength(before);
  });

  test('a rejected email does not fail the request, which returns the link', async () => {
    const response = await create({ email: refusing });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ emailSent: false, inviteLink: expect.any(String) });
  });
});

describe('an email that cannot be sent', () => {
  test.each([
    ['is rejected', refusing, {}],
    ['has no server', 'ada@example.com', { port: 1 }],
    ['fails authentication', 'ada@example.com', { password: 'wrong-canary' }],
  ])('because it %s is logged without email, link or password', async (_, recipient, wrong) => {
    const lines: string[] = [];
    const log = createLogger(
      'warn',
      new Writable({
        write: (chunk, _encoding, done) => {
          lines.push(String(chunk));
          done();
        },
      }),
    );
    const mailer = createMailer({ mail: settings(wrong) }, log);
    const sent = await mailer.send({
      to: recipient,
      subject: 'S',
      text: 'https://x/reset?token=link-canary',
    });
    expect(sent).toBe(false);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/"code":"E[A-Z]+".*an email could not be sent/);
    for (const secret of [recipient, 'canary']) expect(lines[0]).not.toContain(secret);
  });

  test('because mail is not configured does not throw', async () => {
    const mailer = createMailer({ mail: undefined }, createLogger('silent'));
    expect(mailer.configured).toBe(false);
    expect(await mailer.send({ to: 'ada@example.com', subject: '', text: '' })).toBe(false);
  });
});
