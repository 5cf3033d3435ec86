/** What an instance says of its SDK. */
export interface Sdk {
  readonly sdkVersion: string;
  readonly specVersion: string | null;
}

/** Since this major version of the client specification SDKs know all that we send them. */
const oldestSpecification = 5;

/** The SDKs that say which specification they keep to; others, made elsewhere, never do. */
const official = /^unleash-/;

/**
 * Whether an SDK is older than what we send it: it says so, or it is one of those that would, if it were not too old
 * to know the question. No list of versions has to be kept up to date.
 */
export function isOutdated({ sdkVersion, specVersion }: Sdk): boolean {
  const [name = '', version] = sdkVersion.split(':');
  if (!official.test(name) || version === undefined) return false;
  const major = specVersion === null ? 0 : Number.parseInt(specVersion, 10);
  return Number.isNaN(major) || major < oldestSpecification;
}
