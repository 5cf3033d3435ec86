import { StartError } from '../../../platform/start-error.ts';
import type { ReadingClient } from './client.ts';
import { objectOf, textOf, textOrNull } from './plain.ts';

interface Version {
  readonly version: string;
  readonly edition: string;
}

/** Refuses a server that is no Unleash, or one that is too old. */
export async function readVersion(client: ReadingClient): Promise<Version> {
  const config = objectOf(await client.get('/api/admin/ui-config'));
  const { current } = objectOf(config.versionInfo);
  const { enterprise, oss } = objectOf(current);
  const version = textOrNull(enterprise) ?? textOrNull(oss) ?? textOf(config.version);
  const major = Number.parseInt(version, 10);
  if (!(major >= 5)) {
    throw new StartError(
      `Unleash version '${version}' isn't supported. Burgee imports from 5.x to 8.x.`,
    );
  }
  return { version, edition: textOrNull(config.environment) ?? 'unknown' };
}
