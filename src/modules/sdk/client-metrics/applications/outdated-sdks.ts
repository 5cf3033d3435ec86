import { gte, valid } from 'semver';

/** The SDK of an instance. */
export interface Sdk {
  readonly sdkVersion: string;
}

/**
 * The oldest version of each official SDK that does not count as outdated. The same as in the reference, so that
 * existing installations get no new warnings.
 */
const oldest: Readonly<Record<string, string>> = {
  'unleash-client-node': '5.3.2',
  'unleash-client-java': '9.2.0',
  'unleash-client-go': '4.1.0',
  'unleash-client-python': '5.11.0',
  'unleash-client-ruby': '5.0.0',
  'unleash-client-dotnet': '4.1.3',
  'unleash-client-php': '2.3.0',
};

/** Whether an SDK is an official one and older than recommended. */
export function isOutdated({ sdkVersion }: Sdk): boolean {
  const [name = '', version = ''] = sdkVersion.split(':');
  const oldestSupported = Object.hasOwn(oldest, name) ? oldest[name] : undefined;
  return oldestSupported !== undefined && valid(version) !== null && !gte(version, oldestSupported);
}
