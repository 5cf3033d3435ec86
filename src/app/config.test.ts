import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  test('works without settings: all have a default', () => {
    expect(readConfig({})).toMatchObject({
      port: 4242,
      host: 'localhost',
      baseUrl: 'http://localhost:4242',
      databaseUrl: undefined,
      databaseSchema: 'public',
      logLevel: 'info',
      initialTokens: { admin: [], client: [], frontend: [] },
      targets: { privateTargets: false, loopback: true },
      eventRetentionDays: undefined,
      metricsRetentionDays: 30,
    });
  });

  test('reads lists, ranges and addresses', () => {
    const config = readConfig({
      PORT: '80',
      BASE_URL: 'https://flags.example.com/',
      INIT_ADMIN_API_TOKENS: '*:*.secret, anything-goes ,',
      INIT_CLIENT_API_TOKENS: '*:development.secret,shop:production.x.y',
      ALLOW_PRIVATE_TARGETS: '10.0.0.0/8, ::1',
      LOG_LEVEL: 'WARN',
    });
    expect(config).toMatchObject({
      port: 80,
      baseUrl: 'https://flags.example.com',
      initialTokens: {
        admin: ['*:*.secret', 'anything-goes'],
        client: ['*:development.secret', 'shop:production.x.y'],
      },
      targets: { privateTargets: ['10.0.0.0/8', '::1'] },
      logLevel: 'warn',
    });
  });

  test.each([
    ['PORT', 'eighty', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '70000', 'PORT must be a whole number'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of'],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@db/x',
      'DATABASE_URL must be a URL that begins with postgres:',
    ],
    ['BASE_URL', 'flags.example.com', 'BASE_URL must be a URL'],
    ['INIT_CLIENT_API_TOKENS', 'hunter2', 'INIT_CLIENT_API_TOKENS: token 1 must have the form'],
    ['INIT_ADMIN_API_TOKENS', 'hunter2 x', 'INIT_ADMIN_API_TOKENS: token 1 contains a space'],
    ['INIT_ADMIN_API_TOKENS', 'x'.repeat(501), 'token 1 has more than 500 characters, or control'],
    ['INIT_CLIENT_API_TOKENS', '*:development.\x1bx', 'token 1 has more than 500 characters, or'],
    [
      'ALLOW_PRIVATE_TARGETS',
      '10.0.0.0/99',
      'ALLOW_PRIVATE_TARGETS must be a list of IP addresses',
    ],
    ['TRUSTED_PROXIES', 'nginx', 'TRUSTED_PROXIES must be'],
    ['EVENT_RETENTION_DAYS', '0', 'EVENT_RETENTION_DAYS must be a whole number from 1'],
    ['DATABASE_SCHEMA', 'a,b', 'DATABASE_SCHEMA must be lowercase letters'],
    ['DATABASE_SCHEMA', 'pg_temp', 'DATABASE_SCHEMA must be lowercase letters'],
    [
      'SHUTDOWN_DELAY_SECONDS',
      '10s',
      'SHUTDOWN_DELAY_SECONDS must be a whole number from 0 to 600',
    ],
    ['SHUTDOWN_DELAY_SECONDS', '-1', 'SHUTDOWN_DELAY_SECONDS must be a whole number from 0 to 600'],
    ['DATABASE_POOL_MAX', '1', 'DATABASE_POOL_MAX must be a whole number from 2'],
    ['DATABASE_URL', '', 'DATABASE_URL is empty. Set it, or unset it'],
    ['DATABASE_URL', '  ', 'DATABASE_URL is empty'],
    ['DATABASE_URL', 'postgres://me:hunter2@a,b/flags', 'has several hosts'],
    ['DATABASE_URL', 'postgres://me:hunter2@a:5432,b:5432/flags', 'has several hosts'],
    ['DATABASE_URL', 'postgres://me:hunter2@x/flags?host=a,b', 'has several hosts'],
    [
      'BASE_URL',
      'https://me:hunter2@flags.example.com',
      'without a username, a query, or a fragment',
    ],
    ['BASE_URL', 'https://flags.example.com/?a=b', 'without a username, a query, or a fragment'],
    ['EMAIL_SENDER', 'notmail', 'EMAIL_SENDER must be an email address'],
    ['EMAIL_ALLOW_PLAINTEXT', 'yes', "EMAIL_ALLOW_PLAINTEXT must be true or false, not 'yes'"],
  ])('rejects %s=%s without repeating secrets', (name, value, message) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(message);
    expect(read).not.toThrow('hunter2');
  });

  test('accepts a comma in a password and a name in a sender', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://me:a,b@db.example.com/flags',
      EMAIL_HOST: 'mail.example.com',
      EMAIL_SENDER: 'Flags <flags@example.com>',
    });
    expect(config.databaseUrl).toContain('a,b@db');
    expect(config.mail?.sender).toBe('Flags <flags@example.com>');
  });

  test.each([
    ['mail.example.com', {}, true],
    ['10.0.0.5', {}, true],
    ['mail.example.com', { EMAIL_ALLOW_PLAINTEXT: 'false' }, true],
    ['mail.example.com', { EMAIL_ALLOW_PLAINTEXT: 'true' }, false],
    ['localhost', {}, false],
    ['127.0.0.2', {}, false],
    ['::1', {}, false],
    // TLS from the first byte is always required.
    ['mail.example.com', { EMAIL_SECURE: 'true' }, false],
  ])('for the mail server %s with %j, requireTls is %s', (EMAIL_HOST, more, requireTls) => {
    const EMAIL_SENDER = 'flags@example.com';
    expect(readConfig({ EMAIL_HOST, EMAIL_SENDER, ...more }).mail).toMatchObject({ requireTls });
  });

  test.each([
    ['localhost', 'http://localhost:4242'],
    ['127.0.0.1', 'http://localhost:4242'],
    ['0.0.0.0', 'http://localhost:4242'],
    ['10.0.0.5', 'http://10.0.0.5:4242'],
    ['fd00::5', 'http://[fd00::5]:4242'],
  ])('derives BASE_URL for HOST=%s as %s, unless it is set', (HOST, baseUrl) => {
    expect(readConfig({ HOST }).baseUrl).toBe(baseUrl);
    const BASE_URL = 'https://flags.example.com';
    expect(readConfig({ HOST, BASE_URL }).baseUrl).toBe(BASE_URL);
  });

  test.each([
    [{ DATABSE_URL: 'x' }, 'DATABSE_URL is set but not used. Did you mean DATABASE_URL?'],
    [{ DATABASE_HOST: 'x' }, 'DATABASE_HOST is set but not used. Use DATABASE_URL'],
    [{ ENCRYPTION_KEYS: 'x' }, 'Did you mean ENCRYPTION_KEY?'],
    [{ INIT_ADMIN_API_TOKEN: 'x' }, 'Did you mean INIT_ADMIN_API_TOKENS?'],
    [{ HOST: '0.0.0.0' }, 'BASE_URL is not set: links in emails'],
    [{ INIT_ADMIN_API_TOKENS: 'hunter2' }, 'token 1 has only 7 characters'],
  ])('warns about %j without repeating secrets', (environment, words) => {
    const { doubts } = readConfig(environment as Record<string, string>);
    expect(doubts).toEqual([expect.stringContaining(words)]);
    expect(doubts.join()).not.toContain('hunter2');
  });

  test('ignores variables of other programs', () => {
    const theirs = { HOME: '/', PATH: '/bin', HOSTNAME: 'x', LOGNAME: 'x', SESSION_MANAGER: 'x' };
    expect(readConfig({ ...theirs, EMAIL_USER: 'x', BASE_URL: 'http://x' }).doubts).toEqual([]);
  });
});

test('docs/configuration.md lists exactly the existing settings', () => {
  const read = new Set<string>();
  // A mail server, because some settings only matter with one.
  const given: Record<string, string> = { EMAIL_HOST: 'mail', EMAIL_SENDER: 'a@example.com' };
  readConfig(
    new Proxy(given, {
      get: (target, name) => {
        read.add(String(name));
        return target[String(name)];
      },
    }),
  );
  const document = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const cells = [...document.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].map(([, cell = '']) => cell);
  const listed = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  expect(listed.sort()).toEqual([...read].sort());
});
