import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  test('needs nothing: every setting has a value that works', () => {
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
    ['INIT_CLIENT_API_TOKENS', 'hunter2', 'INIT_CLIENT_API_TOKENS: token 1 is not of the form'],
    ['INIT_ADMIN_API_TOKENS', 'hunter2 x', 'INIT_ADMIN_API_TOKENS: token 1 contains a blank'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.0/99', 'ALLOW_PRIVATE_TARGETS must be a list of addresses'],
    ['TRUSTED_PROXIES', 'nginx', 'TRUSTED_PROXIES must be'],
    ['EVENT_RETENTION_DAYS', '0', 'EVENT_RETENTION_DAYS must be a whole number from 1'],
    ['DATABASE_SCHEMA', 'a,b', 'DATABASE_SCHEMA must be lower-case letters'],
    ['DATABASE_SCHEMA', 'pg_temp', 'DATABASE_SCHEMA must be lower-case letters'],
    ['DATABASE_POOL_MAX', '1', 'DATABASE_POOL_MAX must be a whole number from 2'],
  ])('%s=%s is refused, and a secret in it is not repeated', (name, value, message) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(message);
    expect(read).not.toThrow('hunter2');
  });
});
