import { hash } from 'node:crypto';
import type { Reach } from '../../../platform/db/database.ts';
import { type Snapshot, scopeOf } from '../snapshot/index.ts';

/** What a program asks for. */
export interface Wish {
  readonly environment?: string;
  readonly project?: readonly string[];
  readonly tag?: readonly string[];
  readonly namePrefix?: string;
}

/** A part of all features: what is asked for, within what the token reaches. */
export interface View {
  readonly environment: string;
  /** All, or these, by name. */
  readonly projects: 'all' | readonly string[];
  /** `type:value`, by name: features with any of them. None: all features. */
  readonly tags: readonly string[];
  readonly namePrefix: string;
  /** The same for all who see the same part, and short enough for a header. */
  readonly digest: string;
  /** How many letters it takes to say all of this. */
  readonly length: number;
}

export const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

const listed = (given: readonly string[] = []): readonly string[] => [...new Set(given)].sort();

/** A token's projects bound what may be wished for. */
function projectsOf({ scopes }: Reach, wished: readonly string[]): View['projects'] {
  if (scopes === 'all') return wished.length === 0 ? 'all' : wished;
  return wished.length === 0 ? listed(scopes) : wished.filter((id) => scopes.includes(id));
}

function makeView(reach: Reach, environment: string, wish: Wish): View {
  const part = {
    environment,
    projects: projectsOf(reach, listed(wish.project)),
    tags: listed(wish.tag),
    namePrefix: wish.namePrefix ?? '',
  };
  const text = JSON.stringify(part);
  return { ...part, digest: digestOf(text), length: text.length };
}

/** All that a token reaches is what nearly every request asks for; it is worked out once. */
const wholes = new WeakMap<Reach, View>();

export function viewOf(reach: Reach, snapshot: Snapshot, wish: Wish): View {
  const isWhole =
    reach.environment !== null &&
    wish.project === undefined &&
    wish.tag === undefined &&
    wish.namePrefix === undefined;
  const known = isWhole ? wholes.get(reach) : undefined;
  if (known) return known;
  const { environment } = scopeOf(reach, snapshot, wish.environment);
  const view = makeView(reach, environment, wish);
  if (isWhole) wholes.set(reach, view);
  return view;
}
