import { readLogSearch } from '../../events/search.ts';
import { momentIn } from '../../history/moment.ts';

export const featureTabs = ['rollout', 'usage', 'history', 'code', 'json'] as const;
export type FeatureTab = (typeof featureTabs)[number];

/** What the address of one feature says. */
export interface FeatureViewSearch {
  readonly tab?: FeatureTab | undefined;
  /** The strategy that is open, as `production/<id>`. */
  readonly strategy?: string | undefined;
  /** The environment whose variants are open. */
  readonly variants?: string | undefined;
  /** The environment that the others are compared with. */
  readonly compare?: string | undefined;
  /** The environments that are shown; all of them where it is missing. */
  readonly show?: readonly string[] | undefined;
  /** What "Try it" evaluates. */
  readonly context?: Readonly<Record<string, string>> | undefined;
  /** The query of the history, as it stands in its bar. */
  readonly q?: string | undefined;
  /** The event of the history that is open. */
  readonly event?: number | undefined;
  /** The moment that the history compares with now: the ID of an event, or a date and time. */
  readonly asOf?: string | number | undefined;
  /** Hours back in the chart of usage. */
  readonly hours?: number | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const texts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;

function contextIn(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).map(([field, each]) => [field, String(each)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Reads an address; what is wrong in it is left out. */
export function readFeatureViewSearch(raw: Record<string, unknown>): FeatureViewSearch {
  const history = raw.tab === 'history' ? readLogSearch({ q: raw.q, event: raw.event }) : {};
  const entries = Object.entries({
    tab: featureTabs.find((tab) => tab === raw.tab && tab !== 'rollout'),
    strategy: text(raw.strategy),
    variants: text(raw.variants),
    compare: text(raw.compare),
    show: texts(raw.show),
    context: contextIn(raw.context),
    hours: typeof raw.hours === 'number' ? raw.hours : undefined,
    ...history,
    asOf: raw.tab === 'history' ? momentIn(raw.asOf) : undefined,
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}
