import { useSuspenseQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';
import type { Integration, Provider } from './words.ts';

/** Deliveries are polled, because attempts are no events. */
export const pollMs = 5_000;

/** An integration with its provider, followed while the page is open. */
export function useIntegration(id: string): {
  readonly integration: Integration;
  readonly provider: Provider | undefined;
} {
  const integration = useSuspenseQuery({
    ...read('GET /api/admin/addons/:id', { params: { id } }),
    refetchInterval: pollMs,
  }).data;
  const { providers } = useSuspenseQuery(read('GET /api/admin/addons', {})).data;
  return { integration, provider: providers.find(({ name }) => name === integration.provider) };
}
