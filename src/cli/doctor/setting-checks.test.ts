import { expect, test } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { checkMail } from './setting-checks.ts';

const findings = (settings: Record<string, string>) =>
  checkMail(readConfig({ EMAIL_SENDER: 'flags@example.com', ...settings }));

test.each([
  [{}, []],
  [
    { EMAIL_HOST: 'mail.example.com' },
    ['ok: mail.example.com:587, with STARTTLS, which the server must offer'],
  ],
  [
    { EMAIL_HOST: 'mail.example.com', EMAIL_PORT: '465', EMAIL_SECURE: 'true' },
    ['ok: mail.example.com:465, with TLS'],
  ],
  [{ EMAIL_HOST: '127.0.0.1' }, ['ok: 127.0.0.1:587, on this machine, with or without STARTTLS']],
  [
    { EMAIL_HOST: 'mail.example.com', EMAIL_ALLOW_PLAINTEXT: 'true' },
    [
      'warn: EMAIL_ALLOW_PLAINTEXT is true: if mail.example.com:587 offers no STARTTLS, its password and sign-in links are sent unencrypted',
    ],
  ],
])('doctor checks the encryption of emails with %j', (settings, expected) => {
  const texts = findings(settings as Record<string, string>).map(
    ({ state, message }) => `${state}: ${message}`,
  );
  expect(texts).toEqual(expected);
});
