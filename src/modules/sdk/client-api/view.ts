import { hash } from 'node:crypto';
import type { Reach } from '../../../platform/db/database.ts';
import { type Snapshot, scopeOf } from '../snapshot/index.ts';

/** What an SDK asks for. */
export interface ViewQuery {
  readonly environment?: string;
  readonly project?: readonly string[];
  readonly tag?: readonly string[];
  readonly namePrefix?: string;
}

/** A part of all features: what is asked for, of what the token reaches. */
export interface View {
  readonly environment: string;
  /** All, or these, sorted. */
  readonly projects: 'all' | readonly string[];
  /** Features with any of these tags, each as `type:value`, sorted. None: all features. */
  readonly tags: readonly string[];
  readonly namePrefix: string;
  /** The same for all views of the same part, and short enough for a header. */
  readonly digest: string;
  /** Of all of this as JSON, in characters. */
  readonly length: number;
}

export const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

const sorted = (given: readonly string[] = []): readonly string[] => [...new Set(given)].sort();

/** Of the projects that are asked for, those that the token reaches. */
function projectsOf({ scopes }: Reach, asked: readonly string[]): View['projects'] {
  if (scopes === 'all') return asked.length === 0 ? 'all' : asked;
  return asked.length === 0 ? sorted(scopes) : asked.filter((id) => scopes.includes(id));
}

export function viewOf(reach: Reach, snapshot: Snapshot, query: ViewQuery): View {
  const part = {
    environment: scopeOf(reach, snapshot, query.environment).environment,
    projects: projectsOf(reach, sorted(query.project)),
    tags: sorted(query.tag),
    namePrefix: query.namePrefix ?? '',
  };
  const text = JSON.stringify(part);
  return { ...part, digest: digestOf(text), length: text.length };
}
