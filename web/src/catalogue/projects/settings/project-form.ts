import type { Response } from '../../../api.ts';
import { fieldChange, numberText, percent } from '../../../ui/format.ts';
import { modeOf } from '../words.ts';

type Overview = Response<'GET /api/admin/projects/:projectId/overview'>;

/** What the settings page edits. */
export const formOf = (project: Overview) => ({
  name: project.name,
  description: project.description ?? '',
  mode: project.mode,
  defaultStickiness: project.defaultStickiness,
  featureNaming: {
    pattern: project.featureNaming.pattern ?? '',
    example: project.featureNaming.example ?? '',
    description: project.featureNaming.description ?? '',
  },
  featureLimit: project.featureLimit,
  maxStale: project.budget.maxStale,
  minHealth: project.budget.minHealth,
  autoStale: project.autoStale,
  asksBeforeProduction: project.asksBeforeProduction,
  linkTemplates: project.linkTemplates.map(({ title, urlTemplate }) => ({
    title: title ?? '',
    urlTemplate,
  })),
});

export type ProjectForm = ReturnType<typeof formOf>;

const limitText = (value: number | null) => (value === null ? 'none' : numberText(value));
const healthText = (value: number | null) => (value === null ? 'none' : percent(value));
const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

const words: {
  readonly [F in keyof ProjectForm]: (before: ProjectForm[F], after: ProjectForm[F]) => string;
} = {
  name: (before, after) => fieldChange('name', `“${before}”`, `“${after}”`),
  description: () => 'description',
  mode: (before, after) => fieldChange('project mode', modeOf(before).label, modeOf(after).label),
  defaultStickiness: (before, after) => fieldChange('default stickiness', before, after),
  featureNaming: (before, after) =>
    after.pattern === ''
      ? 'naming pattern removed'
      : before.pattern === after.pattern
        ? before.example === after.example
          ? 'naming pattern description'
          : 'naming pattern example'
        : fieldChange('naming pattern', before.pattern || 'none', after.pattern),
  featureLimit: (before, after) =>
    fieldChange('feature limit', limitText(before), limitText(after)),
  maxStale: (before, after) => fieldChange('cleanup budget', limitText(before), limitText(after)),
  minHealth: (before, after) =>
    fieldChange('minimum health', healthText(before), healthText(after)),
  autoStale: (_, after) => `automatic stale marking ${onOff(after)}`,
  asksBeforeProduction: (_, after) => `production confirmation ${onOff(after)}`,
  linkTemplates: () => 'link templates',
};

/** A change of a field, for the save bar. */
export const changeText = <F extends keyof ProjectForm>(
  field: F,
  before: ProjectForm,
  after: ProjectForm,
): string => words[field](before[field], after[field]);

/** What a new mode means for users. */
export const consequences: Readonly<Record<ProjectForm['mode'], string>> = {
  open: 'All users will see this project, and root roles will apply in it.',
  protected:
    'Only project roles will apply. Users who can change features here only through a root role will lose that access.',
  private:
    'Only members and admins will see this project. Its name, features, and events will be hidden from everyone else.',
};
