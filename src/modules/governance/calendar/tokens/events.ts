import { defineEvent, type Words } from '../../../events/index.ts';

/** Without a project of its own, because nothing in it changes. */
interface CalendarTokenData {
  readonly id: number;
  readonly userId: number;
  readonly project?: string;
  readonly feature?: string;
}

const type = 'user-preference-updated';

const calendar = ({ data, preData, bold }: Words): string => {
  const project = data.project ?? preData.project;
  const feature = data.feature ?? preData.feature;
  if (feature !== undefined) return `a calendar token for ${bold(feature)}`;
  return project === undefined
    ? 'a calendar token'
    : `a calendar token for project ${bold(project)}`;
};

export const calendarTokenCreated = defineEvent<CalendarTokenData>({
  type,
  label: 'Calendar token created',
  summary: (words) => `${words.user} created ${calendar(words)}`,
});

export const calendarTokenRevoked = defineEvent<CalendarTokenData>({
  type,
  label: 'Calendar token revoked',
  summary: (words) => `${words.user} revoked ${calendar(words)}`,
});
