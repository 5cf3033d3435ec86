import type { EventDraft, JsonObject } from '../../events/index.ts';
import type { Kind } from '../document.ts';
import { account, group, projectAccess, role, serviceAccount, token } from './access.ts';
import {
  contextField,
  environment,
  featureType,
  segment,
  strategyType,
  tag,
  tagType,
} from './catalogue.ts';
import { application, integration } from './connections.ts';
import { feature } from './features.ts';
import type { Item, KindDefinition } from './kind.ts';
import { project } from './projects.ts';

/** All kinds of things, in the order in which they can refer to each other. A segment may belong to a project. */
export const kinds: { readonly [K in Kind]: KindDefinition<K> } = {
  environment,
  featureType,
  contextField,
  tagType,
  tag,
  strategyType,
  role,
  account,
  serviceAccount,
  group,
  project,
  // Before the end of the features, when archived projects are archived.
  projectAccess,
  segment,
  feature,
  token,
  application,
  integration,
};

export const kindNames = Object.keys(kinds) as Kind[];

export const importTypes: readonly string[] = kindNames.map((kind) => kinds[kind].event.type);

/** The kind of a thing that an event of an import is about. */
export const kindOf = (type: string): Kind | undefined =>
  kindNames.find((kind) => kinds[kind].event.type === type);

export const wordOf = (kind: Kind): string => kinds[kind].event.word;

/** The event of one thing that an import has created or changed. */
export function eventOf<K extends Kind>(
  { kind, name, before, after }: Item<K>,
  source: string,
): EventDraft {
  const { event, about, dataOf }: KindDefinition<K> = kinds[kind];
  const data: object = dataOf ? dataOf(after) : after;
  const preData: object | undefined = before;
  return event({
    ...about?.(after),
    data: { ...(data as JsonObject), importedAs: name, importedFrom: source },
    ...(preData && { preData: preData as JsonObject }),
  });
}
