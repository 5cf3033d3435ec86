import type { Db } from '../../../platform/db/database.ts';
import type { EventTag } from '../../events/index.ts';
import { findProvider } from '../providers/catalogue.ts';
import type { Parameters, Provider } from '../providers/provider.ts';
import { listStoredIntegrations } from './queries.ts';
import type { Responsible } from './responsible.ts';
import { openSecrets } from './sealing.ts';

/** An integration with its secrets opened, for sending. Never leaves the process. */
export interface OpenIntegration {
  readonly id: number;
  readonly provider: Provider;
  readonly enabled: boolean;
  /** Parameters without secrets: enough to compose a message. */
  readonly plain: Parameters;
  /** Undefined: the secrets were sealed with a key that is no longer configured. */
  readonly parameters: Parameters | undefined;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly tags: readonly EventTag[];
  readonly inOrder: boolean;
  readonly responsible: Responsible;
  readonly namedAfter: number;
}

/** Leaves out integrations with unknown providers: a later version may have created them. */
export async function openIntegrations(
  db: Db,
  keys: readonly Buffer[],
): Promise<readonly OpenIntegration[]> {
  const stored = await listStoredIntegrations(db);
  return stored.flatMap((row) => {
    const provider = findProvider(row.provider);
    if (!provider) return [];
    const secrets = openSecrets(keys, row);
    return [
      {
        id: row.id,
        provider,
        enabled: row.enabled,
        plain: row.parameters,
        parameters: secrets && { ...row.parameters, ...secrets },
        events: row.events,
        projects: row.projects,
        environments: row.environments,
        tags: row.tags,
        inOrder: row.inOrder,
        responsible: row.responsible,
        namedAfter: row.namedAfter,
      },
    ];
  });
}
