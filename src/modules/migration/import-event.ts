import type { EventDraft, EventTag, JsonObject } from '../events/index.ts';
import {
  defineImport,
  environmentImported,
  featureImported,
  projectImported,
  segmentImported,
  strategyTypeImported,
  tagImported,
  tagTypeImported,
} from './events.ts';

/** By kind. A kind without an import type has the nearest one: the thing was created elsewhere. */
const imported = {
  environment: environmentImported,
  featureType: defineImport('feature-type-updated', 'feature type'),
  contextField: defineImport('context-field-updated', 'context field'),
  tagType: tagTypeImported,
  tag: tagImported,
  strategyType: strategyTypeImported,
  segment: segmentImported,
  project: projectImported,
  feature: featureImported,
  role: defineImport('role-updated', 'role'),
  account: defineImport('user-updated', 'user', ['name', 'username', 'email']),
  serviceAccount: defineImport('service-account-updated', 'service account', ['name', 'username']),
  group: defineImport('group-updated', 'group'),
  projectAccess: defineImport('project-access-updated', 'access to the project'),
  token: defineImport('api-token-updated', 'API token'),
  application: defineImport('application-created', 'application'),
  integration: defineImport('addon-config-updated', 'integration'),
};

/** The kinds of things that an import makes. */
export type Kind = keyof typeof imported;

export const kinds = Object.keys(imported) as Kind[];

export const importTypes: readonly string[] = kinds.map((kind) => imported[kind].type);

/** The kind of a thing that an event of an import is about. */
export const kindOf = (type: string): Kind | undefined =>
  kinds.find((kind) => imported[kind].type === type);

export const wordOf = (kind: Kind): string => imported[kind].word;

interface ImportFacts {
  readonly kind: Kind;
  readonly name: string;
  readonly source: string;
  readonly project?: string;
  readonly environment?: string;
  readonly featureName?: string;
  readonly tags?: readonly EventTag[];
  readonly data: object;
  readonly preData?: object;
}

/** The event of one thing that an import has made or changed. */
export function importEvent({
  kind,
  name,
  source,
  data,
  preData,
  ...about
}: ImportFacts): EventDraft {
  const origin = { importedAs: name, importedFrom: source };
  return imported[kind]({
    ...about,
    data: { ...(data as JsonObject), ...origin },
    ...(preData && { preData: preData as JsonObject }),
  });
}
