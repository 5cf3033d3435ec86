import { StartError } from '../../../platform/start-error.ts';
import type { CreatorDocument } from '../document.ts';

/** Reads values of a foreign response. What has another type than expected counts as absent. */
export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** The object with other values for some of its keys. Does not copy it, so that a test can see which keys are read. */
export const withValues = (row: Json, values: Json): Json =>
  Object.assign(Object.create(row), values);

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectOf) : [];

/** A list that a response must have. One without it would look as if everything had been deleted there. */
export function listIn(response: unknown, key: string): readonly Json[] {
  const { [key]: list } = objectOf(response);
  if (Array.isArray(list)) return list.map(objectOf);
  throw new StartError(`A response from Unleash has no ${key}. Is a proxy responding instead?`);
}

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Keeps an empty text, which a description may be. */
export const givenText = (value: unknown): string | null =>
  typeof value === 'string' ? value : null;

export const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** How many approvals changes need, within the limits of Burgee; nothing if none. */
export const approvalsOf = (value: unknown): { readonly requiredApprovals?: number } => {
  const wanted = Math.trunc(numberOf(value, 0));
  return wanted > 0 ? { requiredApprovals: Math.min(wanted, 10) } : {};
};

export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** Segments and groups name their creator by what they sign in with. */
export const creatorNamed = (value: unknown): { readonly createdBy?: CreatorDocument } =>
  textOrNull(value) === null
    ? {}
    : { createdBy: { name: textOf(value), account: textOf(value).toLowerCase() } };
