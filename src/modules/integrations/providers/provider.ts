import type { OutgoingAnswer, OutgoingRequest } from '../../../platform/outgoing/outgoing.ts';
import type { EventTag, EventType, JsonObject } from '../../events/index.ts';

/** The configuration of an integration with its secrets. Never returned, logged or stored as it is. */
export type Parameters = Readonly<Record<string, string>>;

/** One field of the configuration form. */
export interface ParameterDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly placeholder?: string;
  /** `textfield` has several lines. */
  readonly type: 'text' | 'textfield' | 'url' | 'number' | 'boolean';
  readonly required: boolean;
  /** A secret: stored encrypted, returned as stars. */
  readonly sensitive: boolean;
}

/**
 * An event as integrations send it: all fields of section 2.1 of the specification, without the actor's IP address.
 */
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
  /** One sentence in Markdown, with links relative to the installation. */
  readonly summary: string;
  readonly ip: null;
}

/**
 * The message for the receiver. It is composed once for each event and integration and stored before the first
 * attempt, so all attempts send the same. Its keys are those of `details` in the record.
 */
export type Message = JsonObject;

/** The result of one attempt. */
export interface Verdict {
  readonly state: 'success' | 'successWithErrors' | 'failed';
  /** Sentences for people, one per line. */
  readonly details: string;
  /** The delay that the receiver asked for. */
  readonly retryAfterMs?: number;
  /** The receiver answered that it is gone for good (410). */
  readonly gone?: true;
}

/** What a provider gets for one attempt. */
export interface Sending {
  /** The same for all attempts of one delivery. */
  readonly id: string;
  readonly now: Date;
  /** Sends one request and records it. Throws `OutgoingError` if there is no response. */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
}

export interface Fault {
  readonly parameter: string;
  readonly message: string;
}

/** A kind of integration. Composing is pure; only `deliver` sends, through the `send` it is given. */
export interface Provider {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly documentationUrl: string;
  /** How to prepare the receiver, in Markdown. */
  readonly howTo?: string;
  /** Why another provider should be used. */
  readonly deprecated?: string;
  /** The page where the receiver is set up. */
  readonly installation?: {
    readonly url: string;
    readonly title: string;
    readonly helpText: string;
  };
  /** What to know before creating one. */
  readonly alerts?: readonly { readonly type: 'info' | 'warning'; readonly text: string }[];
  readonly parameters: readonly ParameterDefinition[];
  /** The event types that this provider can send. */
  readonly events: readonly EventType[];
  /** Tag types that the provider uses; created with the first integration. */
  readonly tagTypes?: readonly {
    readonly name: string;
    readonly description: string;
    readonly icon: string;
  }[];
  /** Faults of parameters whose names and types are already checked, URLs included. */
  readonly check?: (parameters: Parameters) => readonly Fault[];
  readonly compose: (
    event: IntegrationEvent,
    parameters: Parameters,
    installation: { readonly baseUrl: string },
  ) => Message;
  /** The target with its secrets masked; undefined if it is always the same. */
  readonly target?: (parameters: Parameters) => string;
  /** The message as a record returns it, if that differs from the stored one. */
  readonly toRecord?: (message: Message) => JsonObject;
  readonly deliver: (
    message: Message,
    parameters: Parameters,
    sending: Sending,
  ) => Promise<Verdict>;
}

/** A key pasted with a blank or a line break would fail only days later, at the receiver. */
export const keyFaults = (parameter: string, key: string | undefined): Fault[] =>
  key && !/^[\x21-\x7e]+$/.test(key)
    ? [
        {
          parameter,
          message: 'The key must contain only printable ASCII characters, without spaces.',
        },
      ]
    : [];
