import semver from 'semver';
import packageFile from '../../../package.json' with { type: 'json' };
import { type Config, isLoopback } from '../../app/config.ts';
import { version } from '../../platform/version.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export function checkVersions(): Finding[] {
  const needed = packageFile.engines.node;
  return [
    ok('version', `Burgee ${version}`),
    semver.satisfies(process.version, needed)
      ? ok('node', `Node ${process.version}`)
      : fail('node', `Node ${process.version}`, `Burgee needs ${needed}.`),
  ];
}

export function checkSettings({ doubts, targets, publicMetrics, baseUrl }: Config): Finding[] {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const findings = [
    ...doubts.map((doubt) => warn('settings', doubt, 'Correct or remove the variable.')),
    targets.privateTargets === true &&
      warn(
        'settings',
        'ALLOW_PRIVATE_TARGETS is true: integrations can reach every address in the internal network',
        'List only the addresses or ranges they need.',
      ),
    publicMetrics &&
      warn('settings', 'PUBLIC_METRICS is true', 'Make sure a proxy protects /internal-backstage.'),
    protocol === 'http:' &&
      !isLocal &&
      warn(
        'settings',
        'BASE_URL begins with http: passwords and tokens are sent unencrypted',
        'Use https, with a proxy that terminates TLS.',
      ),
  ].filter((each) => each !== false);
  return findings.length > 0 ? findings : [ok('settings', 'no problems found')];
}

/** Says whether mails, with the password of the mail server and links to sign in, are encrypted on their way. */
export function checkMail({ mail }: Pick<Config, 'mail'>): Finding[] {
  if (!mail) return [];
  const { host, port, secure, requireTls } = mail;
  const server = `${host}:${port}`;
  if (secure) return [ok('mail', `${server}, with TLS`)];
  if (requireTls) return [ok('mail', `${server}, with STARTTLS, which the server must offer`)];
  if (isLoopback(host)) return [ok('mail', `${server}, on this machine, with or without STARTTLS`)];
  return [
    warn(
      'mail',
      `EMAIL_ALLOW_PLAINTEXT is true: if ${server} offers no STARTTLS, its password and sign-in links are sent unencrypted`,
      'Remove EMAIL_ALLOW_PLAINTEXT if the server offers STARTTLS, or set EMAIL_SECURE=true and the port for TLS.',
    ),
  ];
}

const patienceMs = 5_000;

/** Asks for the health page as a user's browser would. */
export async function checkBaseUrl({ baseUrl }: Pick<Config, 'baseUrl'>): Promise<Finding> {
  const check = 'address';
  const advice =
    "If the server isn't running, start it. Otherwise check BASE_URL, the proxy, and DNS.";
  try {
    const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(patienceMs) });
    const isOurs = response.ok && (await response.text()).includes('GOOD');
    return isOurs
      ? ok(check, `${baseUrl} responds`)
      : warn(check, `${baseUrl}/health returned ${response.status}`, advice);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return warn(check, `couldn't reach ${baseUrl} (${cause?.code ?? message})`, advice);
  }
}
