import type { Constraint } from '../../flags/strategy/strategy-sentence.ts';
import { fieldChange } from '../../ui/format.ts';

export interface SegmentDraft {
  readonly name: string;
  readonly description: string;
  /** Empty: all projects can use it. */
  readonly project: string;
  readonly constraints: readonly Constraint[];
}

type NameOf = (project: string) => string;

/** Where a segment can be used. */
export const availability = (project: string, nameOf: NameOf): string =>
  project === '' ? 'all projects' : `${nameOf(project)} only`;

const quoted = (text: string) => (text === '' ? 'none' : `“${text}”`);

/** What changes beside the constraints. */
export function detailChanges(before: SegmentDraft, after: SegmentDraft, nameOf: NameOf): string[] {
  return [
    ...(before.name === after.name ? [] : [fieldChange('Name:', before.name, after.name)]),
    ...(before.description === after.description
      ? []
      : [`Description: ${quoted(after.description)}`]),
    ...(before.project === after.project
      ? []
      : [
          fieldChange(
            'Available in:',
            availability(before.project, nameOf),
            availability(after.project, nameOf),
          ),
        ]),
  ];
}
