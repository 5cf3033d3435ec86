import type { Service } from './load.ts';
import { send } from './send.ts';

/** Creates an API token in the environment of the features. */
export async function newToken(
  service: Service,
  type: 'client' | 'frontend',
  projects: readonly string[],
): Promise<string> {
  const body = { tokenName: `bench-${type}`, type, environment: 'development', projects };
  const { text } = await send(service, 'POST', '/api/admin/api-tokens', body);
  return (JSON.parse(text) as { secret: string }).secret;
}
