import {
  type Batch,
  type Buffer,
  createBuffer,
  type Source,
} from '../../modules/sdk/client-metrics/report/buffer.ts';
import { type Kind, kindKey } from './bulk.ts';

export type Parts = Pick<Batch, 'reports' | 'instances'>;

/** The parts of some sources. */
export const partsOf = ({ reports, instances }: Parts, isOne: (of: Source) => boolean): Parts => ({
  reports: reports.filter(isOne),
  instances: instances.filter(isOne),
});

/** The number of counts and registrations. */
export const countOf = ({ reports, instances }: Parts): number =>
  reports.reduce((sum, { features }) => sum + features.size, instances.length);

interface KindQueue {
  readonly kind: Kind;
  readonly buffer: Buffer;
}

const sizeOf = (kinds: readonly KindQueue[]): number =>
  kinds.reduce((sum, { buffer }) => sum + buffer.size(), 0);

function* inTurn<Item>(lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list;
}

function* ofKind(kind: Kind, batches: Iterable<Batch>) {
  for (const batch of batches) yield { kind, batch };
}

/** Usage that is summed until it is sent, each kind by itself, so that one can be sent without the others. */
export function createWaiting() {
  const kinds = new Map<string, KindQueue>();

  function bufferOf({ scope, isPublic }: Source): Buffer {
    const key = kindKey({ scope, isPublic });
    const found = kinds.get(key) ?? { kind: { scope, isPublic }, buffer: createBuffer() };
    kinds.set(key, found);
    return found.buffer;
  }

  const publicKinds = () => [...kinds.values()].filter(({ kind }) => kind.isPublic);
  /** What anyone can invent comes last. */
  const inOrder = () => [
    ...[...kinds.values()].filter(({ kind }) => !kind.isPublic),
    ...publicKinds(),
  ];

  return {
    size: () => sizeOf([...kinds.values()]),
    publicSize: () => sizeOf(publicKinds()),
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
    listInTurn: (most: number) => inTurn(inOrder().map(({ buffer }) => buffer.listInTurn(most))),
    /** Removes all of some kinds at once. */
    takeInTurn(most: number, isTaken: (kind: Kind) => boolean) {
      const taken = inOrder().filter(({ kind }) => isTaken(kind));
      for (const { kind } of taken) kinds.delete(kindKey(kind));
      return inTurn(taken.map(({ kind, buffer }) => ofKind(kind, buffer.takeInTurn(most))));
    },
  };
}
