import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import { isOrigin } from '../platform/http/origin.ts';
import { logLevels } from '../platform/log.ts';
import { readNetwork } from '../platform/network.ts';
import { StartError } from '../platform/start-error.ts';
import { partsOf } from './hub/tokens.ts';

/** All settings of an edge. They are read from options and the environment once, and only here. */
export interface EdgeSettings {
  readonly mode: 'strict' | 'dynamic' | 'offline';
  /** Without a slash at the end; undefined offline. */
  readonly upstreamUrl: string | undefined;
  /** Tokens of backend and frontend SDKs; their kind is known once they are validated. */
  readonly tokens: readonly ConfiguredToken[];
  readonly port: number;
  readonly host: string;
  /** The path under which a proxy serves it, or an empty string. */
  readonly basePath: string;
  readonly workers: number;
  readonly backupFolder: string | undefined;
  readonly redisUrl: string | undefined;
  readonly bootstrapFile: string | undefined;
  readonly refreshMs: number;
  readonly metricsMs: number;
  readonly revalidationMs: number;
  /** Offline: how often the bootstrap file is read again; 0 for never. */
  readonly reloadMs: number;
  readonly requestTimeoutMs: number;
  /** Whether streams and deltas of the upstream may be used. */
  readonly streaming: boolean;
  readonly delta: boolean;
  readonly corsOrigins: readonly string[];
  readonly allowList: readonly string[];
  readonly denyList: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly maxConnections: number;
  readonly shutdownDelayMs: number;
  readonly publicMetrics: boolean;
  /** Whether frontend SDKs may ask for disabled features too. */
  readonly servesAll: boolean;
  readonly upstreamHeaders: Readonly<Record<string, string>>;
  /** A file with certificates that are trusted in addition to those of Node. */
  readonly upstreamCertificateFile: string | undefined;
  readonly logLevel: (typeof logLevels)[number];
  readonly logFormat: 'json' | 'plain' | 'pretty';
  readonly appName: string;
  readonly region: string | undefined;
  readonly instanceId: string | undefined;
  /** What an operator should know before the start. */
  readonly doubts: readonly string[];
}

export interface ConfiguredToken {
  readonly secret: string;
  /** Undefined until it is validated. */
  readonly kind: 'client' | 'frontend' | undefined;
}

/** The options of the command line: a name with its last value, or a list. */
export type EdgeOptions = Readonly<
  Record<string, string | readonly string[] | boolean | undefined>
>;

type Environment = Readonly<Record<string, string | undefined>>;

/** What TRUST_PROXY=true trusts: this machine, and private networks. */
const privateNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const dayS = 86_400;

/** Variables of Unleash Edge that change what it does, and that this edge does not have. Others are ignored. */
const withoutEffect = [
  ...['TLS_ENABLE', 'TOKEN_HEADER', 'SKIP_SSL_VERIFICATION', 'REDIS_HOST', 'S3_BUCKET_NAME'],
  ...['REDIS_PASSWORD', 'PRETRUSTED_TOKENS', 'PKCS8_CLIENT_CERTIFICATE_FILE'],
  ...['PKCS12_IDENTITY_FILE', 'PROMETHEUS_REMOTE_WRITE_URL'],
];

/** Reads the settings. An option wins over its variable. Reports all invalid values in one message. */
export function readEdgeSettings(
  environment: Environment,
  options: EdgeOptions = {},
  command: 'edge' | 'offline' = 'edge',
): EdgeSettings {
  const faults: string[] = [];
  const doubts: string[] = [];

  /** Every variable is also an option: UPSTREAM_URL is --upstream-url. */
  const given = (name: string): string | undefined => {
    const option = options[name.toLowerCase().replaceAll('_', '-')];
    const text = option === undefined || option === false ? environment[name] : String(option);
    return text?.trim() || undefined;
  };

  const seconds = (name: string, fallback: number, low: number, high: number): number => {
    const text = given(name);
    if (text === undefined) return fallback * 1000;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value * 1000;
    faults.push(`${name} must be a whole number of seconds from ${low} to ${high}, not '${text}'`);
    return fallback * 1000;
  };

  const integer = (name: string, fallback: number, low: number, high: number): number => {
    const text = given(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    faults.push(`${name} must be a whole number from ${low} to ${high}, not '${text}'`);
    return fallback;
  };

  const yesNo = (name: string): boolean | undefined => {
    const text = given(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text !== 'true' && text !== 'false') {
      faults.push(`${name} must be true or false, not '${text}'`);
    }
    return text === 'true';
  };

  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const text = given(name);
    if (text === undefined) return undefined;
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (parsed && protocols.includes(parsed.protocol)) return text.replace(/\/+$/, '');
    // The message does not repeat the value, which may contain a password.
    faults.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
    return undefined;
  };

  const upstream = (): string | undefined => {
    const found = url('UPSTREAM_URL', ['http:', 'https:']);
    if (found === undefined || !/[?#]/.test(found)) return found;
    faults.push('UPSTREAM_URL must be a URL without a query or fragment');
    return undefined;
  };

  const redis = (): string | undefined => {
    const found = url('REDIS_URL', ['redis:', 'rediss:']);
    if (found === undefined) return undefined;
    const { username, password, pathname } = new URL(found);
    if (!isEncoded(username) || !isEncoded(password)) {
      faults.push('REDIS_URL: write % in the username and the password as %25');
    }
    if (!/^\/?\d{0,9}$/.test(pathname)) {
      faults.push('REDIS_URL must end with the host, or with the number of a database: /0');
    }
    return found;
  };

  /** A value that requests to the upstream carry. */
  const sentText = (name: string): string | undefined => {
    const text = given(name);
    if (text !== undefined && !isHeaderValue(text)) {
      faults.push(`${name} must contain only characters that are allowed in HTTP headers`);
    }
    return text;
  };

  const certificates = (name: string): string | undefined => {
    const path = file(name);
    if (path === undefined || !existsSync(path) || !statSync(path).isFile()) return path;
    try {
      new X509Certificate(readFileSync(path, 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      faults.push(`${name}: ${path} has no certificate in PEM format (${code ?? message})`);
    }
    return path;
  };

  const origins = (name: string): string[] => {
    const items = given(name) === undefined ? ['*'] : listOf(given(name));
    const wrong = items.filter((item) => !isOrigin(item));
    if (wrong.length > 0) {
      faults.push(
        `${name} must be * or a list of origins such as https://shop.example.com:8443, without a path, not '${wrong.join(', ')}'`,
      );
    }
    return items;
  };

  const ranges = (name: string, text = given(name)): string[] => {
    const items = listOf(text);
    const wrong = items.filter((item) => !readNetwork(item));
    if (wrong.length > 0) {
      faults.push(
        `${name} must be a list of IP addresses or CIDR ranges, not '${wrong.join(', ')}'`,
      );
    }
    return items;
  };

  const tokens = (name: string, kind: ConfiguredToken['kind']): ConfiguredToken[] => {
    const items = listOf(given(name));
    for (const [index, item] of items.entries()) {
      // The token is a secret, so the message names its position only.
      if (!partsOf(item)) {
        faults.push(
          `${name}: token ${index + 1} must have the form <project or *>:<environment>.<secret>`,
        );
      }
    }
    return items.map((secret) => ({ secret, kind }));
  };

  const file = (name: string): string | undefined => {
    const text = given(name);
    if (text === undefined) return undefined;
    const path = resolve(text);
    if (!existsSync(path)) faults.push(`${name}: ${path} doesn't exist`);
    else if (!statSync(path).isFile()) faults.push(`${name}: ${path} is not a file`);
    return path;
  };

  const headers = (name: string): Record<string, string> => {
    const found: Record<string, string> = {};
    for (const [index, item] of listOf(given(name)).entries()) {
      const [, key, value] = /^([\w!#$%&'*+.^`|~-]+)\s*[:=]\s*(\S.*)$/.exec(item) ?? [];
      // Values may be secrets.
      if (key === undefined || value === undefined) {
        faults.push(`${name}: header ${index + 1} must have the form Name: value`);
      } else if (!isHeaderValue(value)) {
        faults.push(`${name}: header ${index + 1} has characters that aren't allowed`);
      } else found[key.toLowerCase()] = value;
    }
    return found;
  };

  const proxies = (): string[] => {
    const text = given('TRUST_PROXY');
    if (text?.toLowerCase() === 'false') return [];
    const listed = ranges(
      'TRUSTED_PROXIES',
      given('TRUSTED_PROXIES') ?? given('PROXY_TRUSTED_SERVERS'),
    );
    if (text === undefined) return listed;
    if (text.toLowerCase() === 'true') return listed.length > 0 ? listed : privateNetworks;
    return [...listed, ...ranges('TRUST_PROXY')];
  };

  const folder = (name: string): string | undefined => {
    const text = given(name);
    return text === undefined ? undefined : resolve(text);
  };

  const basePath = (): string => {
    const text = (given('BASE_PATH') ?? '').replace(/\/+$/, '');
    if (text !== '' && !/^\/[\w./~-]*$/.test(text)) {
      faults.push(`BASE_PATH must begin with a slash, not '${text}'`);
    }
    return text;
  };

  const oneOf = <const Name extends string>(
    name: string,
    names: readonly Name[],
    fallback: Name,
  ): Name => {
    const text = given(name)?.toLowerCase() ?? fallback;
    const found = names.find((each) => each === text);
    if (found === undefined)
      faults.push(`${name} must be one of ${names.join(', ')}, not '${text}'`);
    return found ?? fallback;
  };

  const configured = [
    ...tokens('TOKENS', undefined),
    ...tokens('CLIENT_TOKENS', 'client'),
    ...tokens('FRONTEND_TOKENS', 'frontend'),
  ];
  const strict = yesNo('STRICT');
  const dynamic = yesNo('DYNAMIC');
  if (strict && dynamic) faults.push("STRICT and DYNAMIC can't both be true. Set only one of them");
  const isOffline = command === 'offline' || yesNo('OFFLINE') === true;
  const isStrict = strict ?? (dynamic === undefined ? configured.length > 0 : !dynamic);
  const mode = isOffline ? 'offline' : isStrict ? 'strict' : 'dynamic';
  const upstreamUrl = upstream();
  const bootstrapFile = file('BOOTSTRAP_FILE');
  if (isOffline) {
    if (given('BOOTSTRAP_FILE') === undefined) {
      faults.push('BOOTSTRAP_FILE must be set for an offline edge');
    }
  } else if (given('UPSTREAM_URL') === undefined) {
    faults.push('UPSTREAM_URL must be set, for example to https://burgee.example.com');
  }
  if (mode !== 'dynamic' && configured.length === 0) {
    faults.push(
      mode === 'strict'
        ? 'TOKENS must be set. An edge without STRICT=true accepts every token that its upstream validates'
        : 'TOKENS, CLIENT_TOKENS, or FRONTEND_TOKENS must be set',
    );
  }
  const settings: EdgeSettings = {
    mode,
    upstreamUrl: isOffline ? undefined : upstreamUrl,
    tokens: configured,
    port: integer('PORT', 3063, 0, 65_535),
    host: given('INTERFACE') ?? given('HOST') ?? '0.0.0.0',
    basePath: basePath(),
    workers: integer('WORKERS', 1, 1, 64),
    backupFolder: folder('BACKUP_FOLDER'),
    redisUrl: redis(),
    bootstrapFile,
    refreshMs: seconds('FEATURES_REFRESH_INTERVAL_SECONDS', 15, 1, dayS),
    metricsMs: seconds('METRICS_INTERVAL_SECONDS', 60, 1, dayS),
    revalidationMs: seconds('TOKEN_REVALIDATION_INTERVAL_SECONDS', 3600, 1, 7 * dayS),
    reloadMs: seconds('RELOAD_INTERVAL', 0, 0, dayS),
    requestTimeoutMs: seconds('UPSTREAM_REQUEST_TIMEOUT', 5, 1, 300),
    streaming: yesNo('STREAMING') ?? true,
    delta: yesNo('DELTA') ?? true,
    corsOrigins: origins('CORS_ORIGIN'),
    allowList: ranges('ALLOW_LIST'),
    denyList: ranges('DENY_LIST'),
    trustedProxies: proxies(),
    maxConnections: integer('MAX_CONNECTIONS', 25_000, 10, 1_000_000),
    shutdownDelayMs: seconds('SHUTDOWN_DELAY_SECONDS', 0, 0, 600),
    publicMetrics: yesNo('PUBLIC_METRICS') ?? true,
    servesAll: yesNo('DISABLE_ALL_ENDPOINT') !== true,
    upstreamHeaders: headers('CUSTOM_CLIENT_HEADERS'),
    upstreamCertificateFile: certificates('UPSTREAM_CERTIFICATE_FILE'),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf('LOG_FORMAT', ['json', 'plain', 'pretty'], 'json'),
    appName: sentText('APP_NAME') ?? 'burgee-edge',
    region: given('EDGE_REGION') ?? given('AWS_REGION'),
    instanceId: sentText('INSTANCE_ID'),
    doubts,
  };
  if (settings.upstreamUrl?.startsWith('http:') && !isLocal(settings.upstreamUrl)) {
    doubts.push('UPSTREAM_URL begins with http://: tokens are sent to it unencrypted');
  }
  if (mode !== 'offline' && !settings.backupFolder && !settings.redisUrl) {
    doubts.push(
      'neither BACKUP_FOLDER nor REDIS_URL is set: a restart while the upstream is unavailable loses features and unsent usage',
    );
  }
  if (settings.logFormat !== 'json') {
    doubts.push(`LOG_FORMAT=${settings.logFormat} is not supported: the log is JSON lines`);
  }
  for (const name of withoutEffect) {
    const isSet = given(name) !== undefined && given(name)?.toLowerCase() !== 'false';
    if (isSet) doubts.push(`${name} has no effect: see "Moving from Unleash Edge" in docs/edge.md`);
  }
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  return Object.freeze(settings);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isHeaderValue(text: string): boolean {
  try {
    validateHeaderValue('x', text);
    return true;
  } catch {
    return false;
  }
}

const isLocal = (address: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
