import { useQueries } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api, type Response } from '../../api.ts';
import { compactText, numberText } from '../../ui/format.ts';
import type { FoundFeature } from './feature-pages.ts';

type Evaluations = Response<'POST /api/admin/client-metrics/evaluations'>['features'][number];

/** The counts of the visible features by name; undefined for those that aren't read yet. */
type Counts = ReadonlyMap<string, Pick<Evaluations, 'yes' | 'no'>>;

export const EvaluationsContext = createContext<Counts>(new Map());

/** Rows are counted in blocks, so that a scroll by one row needs no request. */
const blockSize = 50;
const staleMs = 60_000;
const none = { yes: 0, no: 0 };

/** The evaluations of the features in a range of rows, with one or two requests. */
export function useEvaluations(
  featureAt: (row: number) => FoundFeature | undefined,
  { first, last }: { readonly first: number; readonly last: number },
  isShown: boolean,
): Counts {
  const from = Math.floor(first / blockSize);
  const to = Math.floor(last / blockSize);
  const blocks = Array.from({ length: isShown ? to - from + 1 : 0 }, (_, nth) =>
    Array.from({ length: blockSize }, (__, row) => featureAt((from + nth) * blockSize + row)?.name)
      .filter((name) => name !== undefined)
      .sort(),
  );
  const counted = useQueries({
    queries: blocks.map((features) => ({
      queryKey: ['POST /api/admin/client-metrics/evaluations', features],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api('POST /api/admin/client-metrics/evaluations', { body: { features }, signal }),
      enabled: features.length > 0,
      staleTime: staleMs,
    })),
  });
  return new Map(
    counted.flatMap(({ data }, nth) => {
      if (!data) return [];
      const found = new Map(data.features.map((each) => [each.name, each]));
      return (blocks[nth] ?? []).map((name) => [name, found.get(name) ?? none] as const);
    }),
  );
}

/** How often a feature was evaluated in the last seven days. */
export function EvaluationCount({ name }: { readonly name: string }) {
  const count = use(EvaluationsContext).get(name);
  if (!count) return null;
  const { yes, no } = count;
  if (yes + no === 0) return <span className="quiet">None</span>;
  return (
    <span title={`Enabled: ${numberText(yes)} · Disabled: ${numberText(no)}`} className="tabular">
      {compactText(yes + no)}
    </span>
  );
}
