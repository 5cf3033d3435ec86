import {
  type Batch,
  createBuffer,
  type Source,
} from '../../modules/sdk/client-metrics/report/buffer.ts';

export type Parts = Pick<Batch, 'reports' | 'instances'>;

/** The parts of some sources. */
export const partsOf = ({ reports, instances }: Parts, isOne: (of: Source) => boolean): Parts => ({
  reports: reports.filter(isOne),
  instances: instances.filter(isOne),
});

/** The number of counts and registrations. */
export const countOf = ({ reports, instances }: Parts): number =>
  reports.reduce((sum, { features }) => sum + features.size, instances.length);

function* inTurn(lists: readonly Iterable<Batch>[]): Generator<Batch> {
  for (const batches of lists) yield* batches;
}

/** Usage that is summed until it is sent: that of public tokens apart from the rest, because anyone can invent it. */
export function createWaiting() {
  const [own, open] = [createBuffer(), createBuffer()];
  const bufferOf = ({ isPublic }: Source) => (isPublic ? open : own);
  return {
    size: () => own.size() + open.size(),
    publicSize: open.size,
    add({ reports, instances }: Parts): void {
      for (const each of instances) bufferOf(each).addInstanceReport(each);
      for (const { features, ...where } of reports) {
        const buffer = bufferOf(where);
        for (const [feature, { yes, no, variants, seenMs }] of features) {
          const counted = { yes, no, ...(variants && { variants: Object.fromEntries(variants) }) };
          buffer.count(where, feature, counted, seenMs);
        }
      }
    },
    // What is in each of them is fixed now, and listed when it is needed.
    listInTurn: (most: number) => inTurn([own.listInTurn(most), open.listInTurn(most)]),
    takeInTurn: (most: number) => inTurn([own.takeInTurn(most), open.takeInTurn(most)]),
  };
}
