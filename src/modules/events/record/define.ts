import { type EventType, eventLabels } from '../event-types-schema.ts';
import type { Json, JsonObject } from '../proof/canonical.ts';

/** A tag of the feature at the time of the event. */
export type EventTag = { readonly type: string; readonly value: string };

/** What the code that makes a change provides. Actor, time and address come from the `Tx`. */
export interface EventFields<Data extends object | null = JsonObject | null> {
  readonly project?: string | null;
  readonly environment?: string | null;
  readonly featureName?: string | null;
  /** The project that the subject leaves. Not stored: readers of its new project may not know that one. */
  readonly formerProject?: string;
  readonly data?: Data | null;
  readonly preData?: Data | null;
  readonly tags?: readonly EventTag[];
  readonly recipients?: Recipients;
}

/** The accounts that are notified of an event, in addition to those that follow its subject. Not part of the event. */
interface Recipients {
  readonly userIds: readonly number[];
  /** Whether they also get an email. */
  readonly byEmail?: boolean;
}

/** The names in a summary, already bold, linked and escaped in the dialect. */
export interface Words {
  readonly user: string;
  readonly feature: string;
  readonly project: string;
  readonly environment: string;
  readonly data: Readonly<Record<string, Json | undefined>>;
  readonly preData: Readonly<Record<string, Json | undefined>>;
  /** " in production", or nothing for an event without an environment. */
  readonly where: string;
  /** Makes a name bold and escapes it. People are named in bold only, so that they can be erased. */
  readonly bold: (text: Json | undefined) => string;
  /** Escapes anything that is no name: types, numbers, states. */
  readonly text: (text: Json | undefined) => string;
  /** A link to a page of the project, given its path there. The text alone for an event without a project. */
  readonly page: (text: string, path: string) => string;
  /** A tag as `type:value`, bold. */
  readonly tag: (tag: { readonly type?: Json; readonly value?: Json }) => string;
}

/** An event type with its payload, label and summary. */
export interface EventDefinition {
  readonly type: EventType;
  readonly label: string;
  readonly summary: (words: Words) => string;
  /** The keys of data and preData that identify a person. Their values can be erased. */
  readonly personal?: readonly string[];
}

/** When and by whom an event was recorded in another installation. */
interface PastRecord {
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
}

export interface EventDraft extends EventFields {
  readonly definition: EventDefinition;
  /** The events that this one reverts: `data.reverts` of the stored event. */
  readonly reverts?: readonly number[];
  /** For history from another installation. Otherwise the actor and the time of the transaction count. */
  readonly past?: PastRecord;
}

export interface DefinedEvent<Data extends object | null> {
  (fields: EventFields<Data>): EventDraft;
  readonly definition: EventDefinition;
}

/** The value as the log stores it: without undefined, dates and classes. */
const plain = <Data extends object>(value: Data): JsonObject => JSON.parse(JSON.stringify(value));

/** Without a label, the one of the type. A definition that borrows the nearest type has its own. */
type EventDescription = Omit<EventDefinition, 'label'> & Partial<Pick<EventDefinition, 'label'>>;

const definitionByType = new Map<EventType, EventDefinition>();

/** The definition that has the type for its own, if a module that is loaded records such events. */
export const findDefinition = (type: EventType): EventDefinition | undefined =>
  definitionByType.get(type);

export function defineEvent<Data extends object | null = JsonObject | null>(
  description: EventDescription,
): DefinedEvent<Data> {
  const definition = { label: eventLabels[description.type], ...description };
  if (description.label === undefined) definitionByType.set(definition.type, definition);
  const draft = ({ data, preData, ...fields }: EventFields<Data>): EventDraft => ({
    ...fields,
    definition,
    data: data ? plain(data) : null,
    preData: preData ? plain(preData) : null,
  });
  return Object.assign(draft, { definition });
}
