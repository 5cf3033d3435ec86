import { momentIn } from '../../history/moment.ts';
import { type PlaygroundContext, readContexts } from './contexts.ts';

const views = ['on', 'off', 'differ'] as const;
export type View = (typeof views)[number];

/** The decision whose reasons are open. */
export interface OpenDecision {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
  /** Index of the context among those that were evaluated. */
  readonly context: number;
}

/** What the address of the playground says. */
export interface PlaygroundSearch {
  readonly environments?: readonly string[];
  /** All that the user can see if it is missing. */
  readonly projects?: readonly string[];
  /** A part of the names of features. */
  readonly query?: string;
  readonly contexts?: readonly PlaygroundContext[];
  /** How the contexts are written down. */
  readonly as?: 'json';
  /** Which decisions are shown. */
  readonly show?: View;
  /** Features that use this segment, for contexts that meet its constraints and that do not. */
  readonly segment?: number;
  /** Features that this application evaluates. */
  readonly application?: string;
  /** The moment whose configuration is evaluated: the ID of an event, or a date and time. */
  readonly asOf?: string | number;
  readonly why?: OpenDecision;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '');

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function openDecisionIn(raw: unknown): OpenDecision | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { project, feature, environment, context } = raw as Record<string, unknown>;
  const found = {
    project: textOf(project),
    feature: textOf(feature),
    environment: textOf(environment),
  };
  const isWhole = Object.values(found).every((text) => text !== '') && isNumber(context);
  return isWhole ? { ...found, context: context as number } : undefined;
}

/** Reads an address; what is wrong in it is left out. */
export function readPlaygroundSearch(raw: Record<string, unknown>): PlaygroundSearch {
  const environments = textsOf(raw.environments);
  const projects = textsOf(raw.projects).filter((project) => project !== '*');
  const { contexts } = {
    contexts: undefined,
    ...(raw.contexts !== undefined && readContexts(raw.contexts)),
  };
  const query = textOf(raw.query);
  const application = textOf(raw.application);
  const show = views.find((view) => view === raw.show);
  const asOf = momentIn(raw.asOf);
  const why = openDecisionIn(raw.why);
  return {
    ...(environments.length > 0 && { environments: [...new Set(environments)] }),
    ...(projects.length > 0 && { projects: [...new Set(projects)] }),
    ...(query !== '' && { query }),
    ...(contexts && { contexts }),
    ...(raw.as === 'json' && { as: 'json' }),
    ...(show && { show }),
    ...(isNumber(raw.segment) && { segment: raw.segment }),
    ...(application !== '' && { application }),
    ...(asOf !== undefined && { asOf }),
    ...(why && { why }),
  };
}
