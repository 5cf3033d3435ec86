import { joinOr } from '../../../ui/format.ts';

export type PayloadType = 'string' | 'json' | 'csv' | 'number';

/** What a snippet evaluates. */
export interface Evaluation {
  readonly feature: string;
  /** The names of its variants; without any, the snippet checks whether it is enabled. */
  readonly variants?: readonly string[];
  /** What all of the variants have as payload. */
  readonly payload?: PayloadType | undefined;
  /** An example of the context, by field. */
  readonly context?: Readonly<Record<string, string>>;
}

export interface Connection extends Evaluation {
  /** The public URL of this instance, without a slash at its end. */
  readonly url: string;
  readonly secret: string;
}

export interface Snippet {
  readonly language: string;
  /** The command that installs what the code needs. */
  readonly install?: string;
  readonly code: string;
}

const ownFields = new Set(['userId', 'sessionId', 'remoteAddress']);

/** The context in two parts, because SDKs have their own names for the first three fields. */
export function contextParts({ context = { userId: '42' } }: Evaluation) {
  const entries = Object.entries(context);
  return {
    own: entries.filter(([field]) => ownFields.has(field)),
    properties: entries.filter(([field]) => !ownFields.has(field)),
  };
}

/** `"blue", "green", or "disabled"`: what the name of a variant can be. */
export const variantNames = ({ variants = [] }: Evaluation): string =>
  joinOr([...variants.map((name) => JSON.stringify(name)), '"disabled"'], 6);

export const hasVariants = ({ variants = [] }: Evaluation): boolean => variants.length > 0;

/** Lines of code without those that this feature doesn't need. */
export const lines = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => typeof part === 'string').join('\n');
