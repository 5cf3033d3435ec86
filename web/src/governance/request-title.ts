import { joinAnd } from '../ui/format.ts';

interface Titled {
  readonly title?: string | undefined;
  readonly features: readonly string[];
  readonly segments: readonly string[];
}

/** The title of a change request in a list, made of what it changes if it has none. */
export const requestTitle = ({ title, features, segments }: Titled): string => {
  const names = [...features, ...segments];
  return title ?? (names.length === 0 ? 'Changes' : `Changes to ${joinAnd(names, 3)}`);
};
