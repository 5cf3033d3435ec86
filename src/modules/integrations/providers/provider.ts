import type { OutgoingAnswer, OutgoingRequest } from '../../../platform/outgoing/outgoing.ts';
import type { EventTag, EventType, JsonObject } from '../../events/index.ts';

/** What an integration is set up with, secrets included: never shown, logged or stored as it is. */
export type Parameters = Readonly<Record<string, string>>;

/** One field of the form in which an integration is set up. */
export interface ParameterDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly placeholder?: string;
  /** `textfield` is one with several lines. */
  readonly type: 'text' | 'textfield' | 'url' | 'number' | 'boolean';
  readonly required: boolean;
  /** A secret: stored encrypted, shown as stars. */
  readonly sensitive: boolean;
}

/** An event as receivers are told it: complete after the specification's 2.1, without the actor's address. */
export interface IntegrationEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: EventType;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: JsonObject | null;
  readonly preData: JsonObject | null;
  readonly tags: readonly EventTag[];
  readonly label: string;
  /** One sentence in Markdown, links relative to the installation. */
  readonly summary: string;
  readonly ip: null;
}

/**
 * What is to be said to the receiver. Made once for an event and an integration, stored before the first
 * attempt and never changed: each attempt says the same. Its keys are those of `details` in the record.
 */
export type Message = JsonObject;

/** What became of one attempt. */
export interface Verdict {
  readonly state: 'success' | 'successWithErrors' | 'failed';
  /** For people: sentences, one per line. */
  readonly details: string;
  /** The receiver asked for so much patience. */
  readonly retryAfterMs?: number;
  /** The receiver said that it is gone for good (410). */
  readonly gone?: true;
}

/** What a provider is handed for one attempt. */
export interface Sending {
  /** The same over all attempts of one delivery. */
  readonly id: string;
  readonly now: Date;
  /** Sends one request and notes it for the record. Throws `OutgoingError` when there is no answer. */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
}

export interface Fault {
  readonly parameter: string;
  readonly message: string;
}

/** One kind of receiver. What it says is pure; only `deliver` reaches out, through what it is handed. */
export interface Provider {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly documentationUrl: string;
  /** What has to be done at the receiver first, in Markdown. */
  readonly howTo?: string;
  /** Why one should rather use another. */
  readonly deprecated?: string;
  /** The page of the receiver on which it is set up there. */
  readonly installation?: {
    readonly url: string;
    readonly title: string;
    readonly helpText: string;
  };
  /** What to know before one is made. */
  readonly alerts?: readonly { readonly type: 'info' | 'warning'; readonly text: string }[];
  readonly parameters: readonly ParameterDefinition[];
  /** The types that an integration of this kind may be told. */
  readonly events: readonly EventType[];
  /** Tag types that steer it; made with the first integration. */
  readonly tagTypes?: readonly {
    readonly name: string;
    readonly description: string;
    readonly icon: string;
  }[];
  /** What is wrong with parameters that are all known and of the right kind (URLs are looked at before). */
  readonly check?: (parameters: Parameters) => readonly Fault[];
  readonly compose: (
    event: IntegrationEvent,
    parameters: Parameters,
    installation: { readonly baseUrl: string },
  ) => Message;
  /** Where it goes, with all that is secret masked; undefined where the address is always the same. */
  readonly target?: (parameters: Parameters) => string;
  /** The message as a record shows it, where that differs from how it is stored. */
  readonly shown?: (message: Message) => JsonObject;
  readonly deliver: (
    message: Message,
    parameters: Parameters,
    sending: Sending,
  ) => Promise<Verdict>;
}
