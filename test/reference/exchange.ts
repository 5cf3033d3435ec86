import type { Request, Step } from './requests/request.ts';
import { createTidy, type Tidy } from './tidy.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What SDKs receive in an environment: features by name, segments by the names of this recording. */
export interface ClientDefinitions {
  readonly features: Readonly<Record<string, unknown>>;
  readonly segments: Readonly<Record<string, unknown>>;
}

/** The server under test: the reference or Burgee. */
export interface Side {
  readonly ask: (request: Pick<Request, 'ask' | 'body' | 'as'>) => Promise<Answer>;
  /** The response of `GET /api/client/features` in an environment. */
  readonly tell: (environment: string) => Promise<unknown>;
}

export const environments = ['development', 'production'] as const;

export interface RecordedRequest extends Request {
  readonly status: number;
  /** Without texts, times and ids, which differ by server. */
  readonly answer?: unknown;
}

export interface RecordedLook {
  readonly look: string;
  readonly told: Readonly<Record<string, ClientDefinitions>>;
}

export const isLook = <Look extends { readonly look: string }>(step: object | Look): step is Look =>
  'look' in step;

type SavedValues = Map<string, string | number>;

const placeholder = /\{\{([\w-]+)\}\}/g;

/** A refused request saved no id. Its placeholder becomes a name that nothing has. */
const keptAs = (kept: SavedValues, name: string): string | number => kept.get(name) ?? 'never-made';

function filled(value: unknown, kept: SavedValues): unknown {
  if (typeof value === 'string') {
    const [, alone] = /^\{\{([\w-]+)\}\}$/.exec(value) ?? [];
    if (alone !== undefined) return keptAs(kept, alone);
    return value.replaceAll(placeholder, (_, name: string) => String(keptAs(kept, name)));
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, kept));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, kept)]));
}

const byKey = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

function toldIn(body: unknown, tidy: Tidy): ClientDefinitions {
  const { features, segments } = tidy(body) as {
    features: { name: string }[];
    segments?: { id: string }[];
  };
  return {
    features: byKey(features.map((feature) => [feature.name, feature])),
    segments: byKey((segments ?? []).map((segment) => [String(segment.id), segment])),
  };
}

/** Runs the steps in order and yields the result of each. */
export async function* carryOut(
  steps: readonly Step[],
  side: Side,
): AsyncGenerator<RecordedRequest | RecordedLook> {
  const kept: SavedValues = new Map();
  const tidy = createTidy(steps, kept);
  for (const step of steps) {
    if (isLook(step)) {
      const told: Record<string, ClientDefinitions> = {};
      for (const environment of environments) {
        told[environment] = toldIn(await side.tell(environment), tidy);
      }
      yield { look: step.look, told };
      continue;
    }
    const { ask, body, keep, as } = step;
    const { status, body: answer } = await side.ask({
      ask: filled(ask, kept) as string,
      ...(body !== undefined && { body: filled(body, kept) }),
      ...(as && { as }),
    });
    const id = (answer as { id?: unknown } | undefined)?.id;
    if (keep !== undefined && status < 300 && (typeof id === 'string' || typeof id === 'number')) {
      kept.set(keep, id);
    }
    yield { ...step, status, ...(answer !== undefined && { answer: tidy(answer, status) }) };
  }
}
