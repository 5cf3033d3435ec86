import { Type } from 'typebox';

export const tag = 'Calendar';

/** What a calendar covers: everything, a project, or a feature. */
export const scopeProperties = {
  project: Type.Optional(Type.String({ maxLength: 100, description: 'ID of a project' })),
  feature: Type.Optional(Type.String({ maxLength: 100, description: 'Name of a feature' })),
};

export interface CalendarScope {
  readonly project?: string | undefined;
  readonly feature?: string | undefined;
}
