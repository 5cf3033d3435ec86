import { hash } from 'node:crypto';
import type { DefinedFeature, DefinedSegment } from '../../modules/sdk/snapshot/index.ts';
import type { KnownToken } from '../hub/tokens.ts';
import type { SourceContent } from '../upstream/content.ts';

/** The content of one token, as it is stored. */
export interface StoredSource {
  readonly environment: string;
  readonly projects: 'all' | readonly string[];
  /** The hash of the token with which it was read. */
  readonly token: string;
  readonly content: SourceContent;
  /** When it was last known to be current, in milliseconds since 1970. */
  readonly confirmedAt: number;
}

/** Everything that an edge needs to serve without its upstream. */
export interface EdgeState {
  readonly revision: number;
  readonly tokens: readonly KnownToken[];
  /** Hashes of tokens that the upstream no longer returned. */
  readonly refused: readonly string[];
  readonly sources: readonly StoredSource[];
}

/** Where the last state is stored. */
export interface StateStore {
  /** Whether it is of this edge alone, so that usage in it is sent once. */
  readonly keepsUsage: boolean;
  /** Undefined if there is none, or none that can be used. */
  readonly read: (name: StoredName) => Promise<string | undefined>;
  /** Stores a text. It is made from what is stored, if other edges share the store. */
  readonly write: (name: StoredName, textFrom: (stored?: string) => string) => Promise<void>;
}

/** `sent`: the ids of batches in `usage` that were sent since it was written. */
export type StoredName = 'state' | 'usage' | 'sent';

/** Those that were refused last. Far more than clients still send. */
const mostRefused = 1_000;

/** Another format has another number: what an earlier version stored is read again from the upstream. */
const format = 1;

/** A checksum in the first line: a file that was cut or changed is not used. */
export function sealed(content: object): string {
  const text = JSON.stringify({ format, ...content });
  return `${hash('sha256', text)}\n${text}`;
}

/** Throws if the text is not what was sealed. */
export function unsealed(stored: string): Readonly<Record<string, unknown>> {
  const end = stored.indexOf('\n');
  const text = stored.slice(end + 1);
  if (end < 0 || hash('sha256', text) !== stored.slice(0, end)) {
    throw new Error('its checksum does not match');
  }
  const content = JSON.parse(text);
  if (content.format !== format) throw new Error(`it has the format ${content.format}`);
  return content;
}

/** The URL may contain a password. */
export const nameOf = (upstreamUrl: string | undefined) =>
  upstreamUrl && hash('sha256', upstreamUrl);

export const writtenState = (state: EdgeState, upstreamUrl: string | undefined): string =>
  sealed({
    upstream: nameOf(upstreamUrl),
    revision: state.revision,
    tokens: state.tokens,
    refused: state.refused.slice(-mostRefused),
    sources: state.sources.map(({ content, ...source }) => ({
      ...source,
      revision: content.revision,
      features: [...content.features.values()],
      segments: [...content.segments.values()],
    })),
  });

interface WrittenSource extends Omit<StoredSource, 'content'> {
  readonly revision: number;
  readonly features: readonly DefinedFeature[];
  readonly segments: readonly DefinedSegment[];
}

/** Throws if it cannot be used: it is damaged, or of another upstream. */
export function readState(stored: string, upstreamUrl: string | undefined): EdgeState {
  const { upstream, revision, tokens, refused, sources } = unsealed(stored);
  // Earlier versions stored the URL itself.
  if (upstream !== nameOf(upstreamUrl) && upstream !== upstreamUrl)
    throw new Error('it belongs to another upstream');
  return {
    revision: revision as number,
    tokens: tokens as KnownToken[],
    // Earlier versions stored none.
    refused: (refused ?? []) as string[],
    sources: (sources as WrittenSource[]).map(({ revision, features, segments, ...source }) => ({
      ...source,
      content: {
        revision,
        features: new Map(features.map((feature) => [feature.name, feature])),
        segments: new Map(segments.map((segment) => [segment.id, segment])),
      },
    })),
  };
}
