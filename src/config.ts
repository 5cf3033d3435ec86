import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defaultSchema } from './platform/db/session.ts';
import { logLevels } from './platform/log.ts';
import type { MailSettings, TargetPolicy } from './platform/module.ts';
import { StartError } from './platform/start-error.ts';

/** Everything an operator can set. Read once, from the environment, here and nowhere else. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly databaseUrl: string | undefined;
  /** The schema of that database in which the tables are. */
  readonly databaseSchema: string;
  readonly databasePoolMax: number;
  readonly dataDir: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly initialTokens: {
    readonly admin: readonly string[];
    readonly client: readonly string[];
    readonly frontend: readonly string[];
  };
  readonly trustedProxies: readonly string[];
  /** Connections that may be open at once; those of streams are among them. */
  readonly maxConnections: number;
  /** Whether everybody may read the Prometheus figures. */
  readonly publicMetrics: boolean;
  readonly targets: TargetPolicy;
  readonly deliveryTimeoutMs: number;
  readonly eventRetentionDays: number | undefined;
  readonly metricsRetentionDays: number;
  readonly signingKeyFile: string | undefined;
  readonly sessionTtlHours: number;
  readonly sessionIdleHours: number;
  readonly mail: MailSettings | undefined;
  readonly encryptionKeys: readonly Buffer[];
  readonly firstAdministrator: { readonly username: string; readonly password: string | undefined };
}

/** `<project or *>:<environment>.<anything>`, as the access module reads it. */
const scopedToken = /^[^:\s]+:[^.\s]+\.\S+$/;

type Environment = Readonly<Record<string, string | undefined>>;

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** A command says only what is wrong, a server also what it does. */
const serverDefaults: Pick<Config, 'logLevel'> = { logLevel: 'info' };

/** Reads the settings; every wrong value is named in one message. */
export function readConfig(environment: Environment, defaults = serverDefaults): Config {
  const faults: string[] = [];
  const given = (name: string) => environment[name]?.trim() || undefined;

  const integer = (name: string, fallback: number | undefined, low: number, high: number) => {
    const text = given(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    faults.push(`${name} must be a whole number from ${low} to ${high}, not '${text}'`);
    return fallback;
  };

  const url = (name: string, protocols: readonly string[]) => {
    const text = given(name);
    if (text === undefined) return undefined;
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (parsed && protocols.includes(parsed.protocol)) return text;
    // The value is not repeated: it may hold a password.
    faults.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
    return undefined;
  };

  const ranges = (name: string) => {
    const items = listOf(environment[name]);
    const wrong = items.filter((item) => !isRange(item));
    if (wrong.length > 0) {
      faults.push(`${name} must be a list of addresses or CIDR ranges, not '${wrong.join(', ')}'`);
    }
    return items;
  };

  const tokens = (name: string, scoped: boolean) => {
    const items = listOf(environment[name]);
    items.forEach((item, index) => {
      // The token itself is a secret: say which one, not what it is.
      if (/\s/.test(item)) faults.push(`${name}: token ${index + 1} contains a blank`);
      else if (scoped && !scopedToken.test(item)) {
        faults.push(
          `${name}: token ${index + 1} is not of the form <project or *>:<environment>.<secret>`,
        );
      }
    });
    return items;
  };

  const yesNo = (name: string) => {
    const text = given(name) ?? 'false';
    if (text !== 'true' && text !== 'false') {
      faults.push(`${name} must be true or false, not '${text}'`);
    }
    return text === 'true';
  };

  /** Written into the search path as it is, so only what needs no quotes. */
  const schema = (name: string) => {
    const text = given(name) ?? defaultSchema;
    if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(text)) {
      faults.push(`${name} must be lower-case letters, digits and underscores, not '${text}'`);
    }
    return text;
  };

  const keys = (name: string) =>
    listOf(environment[name]).map((text, index) => {
      const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
      // The key is a secret: say which one, not what it is.
      if (key.length !== 32) {
        faults.push(`${name}: key ${index + 1} is not 32 bytes, written in base64 or hexadecimal`);
      }
      return key;
    });

  const mail = (): MailSettings | undefined => {
    const host = given('EMAIL_HOST');
    const sender = given('EMAIL_SENDER');
    if (host === undefined) return undefined;
    if (sender === undefined) faults.push('EMAIL_SENDER must be set where EMAIL_HOST is');
    return {
      host,
      port: integer('EMAIL_PORT', 587, 1, 65_535) ?? 587,
      secure: yesNo('EMAIL_SECURE'),
      user: given('EMAIL_USER'),
      password: given('EMAIL_PASSWORD'),
      sender: sender ?? '',
    };
  };

  const level = given('LOG_LEVEL')?.toLowerCase() ?? defaults.logLevel;
  const logLevel = logLevels.find((known) => known === level);
  if (!logLevel) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not '${level}'`);

  const privateTargets = given('ALLOW_PRIVATE_TARGETS');
  const host = given('HOST') ?? 'localhost';
  const port = integer('PORT', 4242, 0, 65_535) ?? 4242;
  const config: Config = {
    port,
    host,
    baseUrl: (url('BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(
      /\/+$/,
      '',
    ),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseSchema: schema('DATABASE_SCHEMA'),
    databasePoolMax: integer('DATABASE_POOL_MAX', 10, 2, 500) ?? 10,
    dataDir: resolve(given('DATA_DIR') ?? 'data'),
    logLevel: logLevel ?? defaults.logLevel,
    initialTokens: {
      admin: tokens('INIT_ADMIN_API_TOKENS', false),
      client: tokens('INIT_CLIENT_API_TOKENS', true),
      frontend: tokens('INIT_FRONTEND_API_TOKENS', true),
    },
    trustedProxies: ranges('TRUSTED_PROXIES'),
    // 20,000 streams, and as many more as everybody else needs.
    maxConnections: integer('MAX_CONNECTIONS', 25_000, 10, 1_000_000) ?? 25_000,
    publicMetrics: yesNo('PUBLIC_METRICS'),
    targets: {
      privateTargets:
        privateTargets === undefined || privateTargets === 'false'
          ? false
          : privateTargets === 'true' || ranges('ALLOW_PRIVATE_TARGETS'),
      loopback: isLoopback(host),
    },
    deliveryTimeoutMs: 1000 * (integer('DELIVERY_TIMEOUT_SECONDS', 15, 1, 60) ?? 15),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', undefined, 1, 100_000),
    metricsRetentionDays: integer('METRICS_RETENTION_DAYS', 30, 1, 3650) ?? 30,
    signingKeyFile: given('SIGNING_KEY_FILE'),
    sessionTtlHours: integer('SESSION_TTL_HOURS', 48, 1, 8760) ?? 48,
    sessionIdleHours: integer('SESSION_IDLE_HOURS', 12, 1, 8760) ?? 12,
    mail: mail(),
    encryptionKeys: keys('ENCRYPTION_KEY'),
    firstAdministrator: {
      username: given('UNLEASH_DEFAULT_ADMIN_USERNAME') ?? 'admin',
      password: given('UNLEASH_DEFAULT_ADMIN_PASSWORD'),
    },
  };
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  return Object.freeze(config);
}
