export const calendarStates = ['pending', 'suspended', 'failed', 'applied', 'canceled'] as const;
export type CalendarState = (typeof calendarStates)[number];

/** Which scheduled changes the address asks for. */
export interface CalendarSearch {
  /** Upcoming ones if omitted. */
  readonly when?: 'past';
  readonly project?: string;
  readonly feature?: string;
  readonly environment?: string;
  readonly state?: CalendarState;
}

/** Numbers are names, too. */
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value)
    : undefined;

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const [project, feature, environment] = [search.project, search.feature, search.environment].map(
    text,
  );
  const state = calendarStates.find((each) => each === search.state);
  return {
    ...(search.when === 'past' && { when: 'past' }),
    ...(project !== undefined && { project }),
    ...(feature !== undefined && { feature }),
    ...(environment !== undefined && { environment }),
    ...(state !== undefined && { state }),
  };
}
