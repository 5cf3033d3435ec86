import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defaultSchema } from '../platform/db/session.ts';
import { logLevels } from '../platform/log.ts';
import type { MailSettings, TargetPolicy } from '../platform/module.ts';
import { readNetwork } from '../platform/network.ts';
import { distance } from '../platform/similar-words.ts';
import { StartError } from '../platform/start-error.ts';

/** All operator settings. They are read from the environment once, and only here. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly databaseUrl: string | undefined;
  /** The schema of the database that contains the tables. */
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
  /** The maximum number of open connections, streams included. */
  readonly maxConnections: number;
  /** How long the server keeps serving after SIGTERM, so that load balancers notice that it is stopping. */
  readonly shutdownDelayMs: number;
  /** Whether the Prometheus metrics are readable without authentication. */
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
  /** Warnings about settings that are probably mistakes. They are logged and do not prevent the start. */
  readonly doubts: readonly string[];
}

/** `<project or *>:<environment>.<anything>`, the format that the access module parses. */
const scopedToken = /^[^:\s]+:[^.\s]+\.\S+$/;

type Environment = Readonly<Record<string, string | undefined>>;

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Whether a host name or address is this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Returns the URL under which a browser on this machine reaches the server. */
function usualBaseUrl(host: string, port: number): string {
  const isHere = isLoopback(host) || isWildcard(host);
  const named = isIP(host) === 6 ? `[${host}]` : host;
  return `http://${isHere ? 'localhost' : named}:${port}`;
}

/** Matches a list of hosts after the user name and password, which may contain commas. libpq tries several hosts. */
const severalHosts =
  /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&]*,/i;

/** An email address, or a name followed by an address in angle brackets. */
const sender = /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** A shorter token could be guessed at a million attempts a second. */
const shortestAdminToken = 16;
/** A token is sent in a header. */
const longestToken = 500;
/** Shorter names of other programs' variables resemble ours too easily. */
const shortestLikeness = 6;

/** Returns unknown variables whose names resemble one of Burgee's. */
function overlooked(environment: Environment, readNames: ReadonlySet<string>): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (readNames.has(name)) return [];
    // Comparing the lengths first saves 0.1 s of every start: npm sets a hundred variables.
    const isLike = (own: string) =>
      own.length >= shortestLikeness &&
      Math.abs(own.length - name.length) <= 2 &&
      distance(name, own) <= 2;
    const meant = [...readNames].find(isLike);
    if (meant) return [`${name} is set but not used. Did you mean ${meant}?`];
    if (!name.startsWith('DATABASE_')) return [];
    return [`${name} is set but not used. Use DATABASE_URL`];
  });
}

/** Commands log only problems; a server also logs what it does. */
const serverDefaults: Pick<Config, 'logLevel'> = { logLevel: 'info' };

/** Reads the settings. Reports all invalid values in one message. */
export function readConfig(environment: Environment, defaults = serverDefaults): Config {
  const faults: string[] = [];
  const doubts: string[] = [];
  const readNames = new Set<string>();
  const raw = (name: string) => {
    readNames.add(name);
    return environment[name];
  };
  const given = (name: string) => raw(name)?.trim() || undefined;

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
    // The message does not repeat the value, which may contain a password.
    faults.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
    return undefined;
  };

  /** Refuses an empty value: it is a secret that was not filled in, and data would go to another database. */
  const database = (name: string) => {
    if (raw(name) !== undefined && given(name) === undefined) {
      faults.push(`${name} is empty. Set it, or unset it to use the embedded database`);
    }
    if (severalHosts.test(given(name) ?? '')) {
      faults.push(`${name} has several hosts, but Burgee connects to only one. Use the primary`);
      return undefined;
    }
    return url(name, ['postgres:', 'postgresql:']);
  };

  const base = (name: string, fallback: string) => {
    const text = url(name, ['http:', 'https:']) ?? fallback;
    if (!URL.canParse(text)) {
      faults.push(`HOST must be a host name or IP address, not '${host}'`);
      return text;
    }
    const { search, hash, username, password } = new URL(text);
    if (search || hash || username || password) {
      faults.push(`${name} must be a URL without a username, a query, or a fragment`);
    }
    return text.replace(/\/+$/, '');
  };

  const ranges = (name: string) => {
    const items = listOf(raw(name));
    const wrong = items.filter((item) => !readNetwork(item));
    if (wrong.length > 0) {
      faults.push(
        `${name} must be a list of IP addresses or CIDR ranges, not '${wrong.join(', ')}'`,
      );
    }
    return items;
  };

  const tokens = (name: string, scoped: boolean) => {
    const items = listOf(raw(name));
    items.forEach((item, index) => {
      // The token is a secret, so the message names its position only.
      if (/\s/.test(item)) faults.push(`${name}: token ${index + 1} contains a space`);
      else if (item.length > longestToken || /\p{C}/u.test(item)) {
        faults.push(
          `${name}: token ${index + 1} has more than ${longestToken} characters, or control characters`,
        );
      } else if (scoped && !scopedToken.test(item)) {
        faults.push(
          `${name}: token ${index + 1} must have the form <project or *>:<environment>.<secret>`,
        );
      } else if (!scoped && item.length < shortestAdminToken) {
        doubts.push(
          `${name}: token ${index + 1} has only ${item.length} characters and could be guessed. Use a longer admin token`,
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

  /** Accepts only names that need no quotes, because the name is written into the search path unquoted. */
  const schema = (name: string) => {
    const text = given(name) ?? defaultSchema;
    if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(text)) {
      faults.push(`${name} must be lowercase letters, digits, and underscores, not '${text}'`);
    }
    return text;
  };

  const keys = (name: string) =>
    listOf(raw(name)).map((text, index) => {
      const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
      // The key is a secret, so the message names its position only.
      if (key.length !== 32) {
        faults.push(`${name}: key ${index + 1} must be 32 bytes in base64 or hexadecimal`);
      }
      return key;
    });

  const mail = (): MailSettings | undefined => {
    const host = given('EMAIL_HOST');
    const from = given('EMAIL_SENDER');
    const secure = yesNo('EMAIL_SECURE');
    const allowsPlaintext = yesNo('EMAIL_ALLOW_PLAINTEXT');
    const settings = {
      port: integer('EMAIL_PORT', 587, 1, 65_535) ?? 587,
      secure,
      user: given('EMAIL_USER'),
      password: given('EMAIL_PASSWORD'),
    };
    if (from !== undefined && !sender.test(from)) {
      faults.push(`EMAIL_SENDER must be an email address, not '${from}'`);
    }
    if (host === undefined) return undefined;
    if (from === undefined) faults.push('EMAIL_SENDER must be set if EMAIL_HOST is set');
    // Without this, someone on the way could remove the offer of STARTTLS and read the password and the links.
    const requireTls = !secure && !allowsPlaintext && !isLoopback(host);
    return { host, ...settings, requireTls, sender: from ?? '' };
  };

  const level = given('LOG_LEVEL')?.toLowerCase() ?? defaults.logLevel;
  const logLevel = logLevels.find((each) => each === level);
  if (!logLevel) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not '${level}'`);

  const privateTargets = given('ALLOW_PRIVATE_TARGETS');
  const host = given('HOST') ?? 'localhost';
  const port = integer('PORT', 4242, 0, 65_535) ?? 4242;
  const config: Config = {
    port,
    host,
    baseUrl: base('BASE_URL', usualBaseUrl(host, port)),
    databaseUrl: database('DATABASE_URL'),
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
    // Enough for 20,000 streams and 5,000 other connections.
    maxConnections: integer('MAX_CONNECTIONS', 25_000, 10, 1_000_000) ?? 25_000,
    shutdownDelayMs: 1000 * (integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 600) ?? 0),
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
    doubts,
  };
  if (isWildcard(host) && given('BASE_URL') === undefined) {
    doubts.push(
      `BASE_URL is not set: links in emails and invitations begin with ${config.baseUrl}, which works only on this machine`,
    );
  }
  doubts.push(...overlooked(environment, readNames));
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  return Object.freeze(config);
}
