import { momentIn } from '../moment.ts';

/** Minutes before and after the time. */
export const windows = [5, 15, 30, 60, 180, 720, 1440] as const;
export type Window = (typeof windows)[number];

export const usualWindow: Window = 30;

/** What the address of an incident says. Its time is absolute, so that it shows the same later. */
export interface IncidentSearch {
  readonly at?: string;
  readonly environment?: string;
  readonly window?: Window;
  readonly project?: string;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Reads an address; what is wrong in it is left out. */
export function readIncidentSearch(raw: Record<string, unknown>): IncidentSearch {
  const at = momentIn(raw.at);
  const isTime = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  const window = windows.find((each) => each === Number(raw.window));
  const [environment, project] = [textOf(raw.environment), textOf(raw.project)];
  return {
    ...(isTime && { at }),
    ...(environment !== '' && { environment }),
    ...(window !== undefined && { window }),
    ...(project !== '' && { project }),
  };
}

/** The times between which changes are shown. */
export function rangeOf(
  at: string,
  window: Window,
): { readonly from: string; readonly to: string } {
  const ms = window * 60_000;
  const time = new Date(at).getTime();
  return { from: new Date(time - ms).toISOString(), to: new Date(time + ms).toISOString() };
}
