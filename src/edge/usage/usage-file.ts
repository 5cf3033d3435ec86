import { createHash, hash } from 'node:crypto';
import type { Batch, InstanceReport } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { inSlices } from '../../platform/slices.ts';
import { nameOf, type StateStore, sealed, unsealed } from '../state/state.ts';
import type { Outgoing } from './queue.ts';

/** Usage that is not sent yet, and what is needed to send it once. */
interface UnsentUsage {
  readonly outgoing: readonly Outgoing[];
  readonly waiting: Iterable<Batch>;
  readonly registered: readonly InstanceReport[];
  /** The ids of batches of other edges that were summed. */
  readonly taken: readonly string[];
}

/** Another format has another number. Usage in it is lost. */
const format = 2;
/** Hours of batches, in which the disk was full. */
const mostSent = 1_000;

/** JSON has no maps. */
const writtenBatch = ({ reports, instances, size }: Batch) => ({
  size,
  instances,
  reports: reports.map(({ features, ...report }) => ({
    ...report,
    features: [...features].map(([name, { variants, ...counts }]) => ({
      ...{ name, ...counts },
      variants: variants && [...variants],
    })),
  })),
});

type WrittenBatch = ReturnType<typeof writtenBatch>;

const readBatch = ({ reports, ...batch }: WrittenBatch): Batch => ({
  ...batch,
  reports: reports.map(({ features, ...report }) => ({
    ...report,
    features: new Map(
      features.map(({ name, variants, ...counts }) => [
        name,
        { ...counts, variants: variants && new Map(variants) },
      ]),
    ),
  })),
});

interface Head {
  readonly format: number;
  readonly upstream: string | undefined;
  readonly registered: readonly InstanceReport[];
  readonly taken: readonly string[];
}

/** A checksum, then a line for the head and for each part, so that no step takes long: 300,000 counts have 40 MB. */
function* linesOf(
  upstream: string | undefined,
  { outgoing, waiting, ...lists }: UnsentUsage,
): Generator<undefined, string> {
  const checksum = createHash('sha256');
  const lines: string[] = [];
  const add = (content: object): undefined => {
    const line = `${JSON.stringify(content)}\n`;
    checksum.update(line);
    lines.push(line);
  };
  yield add({ format, upstream, ...lists } satisfies Head);
  for (const each of outgoing) yield add({ outgoing: each });
  for (const batch of waiting) yield add({ waiting: writtenBatch(batch) });
  return [`${checksum.digest('hex')}\n`, ...lines].join('');
}

/** Throws if it cannot be used: it is damaged, or of another upstream. */
function readLines(stored: string, upstream: string | undefined): UnsentUsage {
  const end = stored.indexOf('\n');
  const text = stored.slice(end + 1);
  if (end < 0 || hash('sha256', text) !== stored.slice(0, end)) {
    throw new Error('its checksum does not match');
  }
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const head: Head = JSON.parse(first);
  if (head.format !== format) throw new Error(`it has the format ${head.format}`);
  if (head.upstream !== upstream) throw new Error('it belongs to another upstream');
  const parts = lines.map(
    (line): { readonly outgoing?: Outgoing; readonly waiting?: WrittenBatch } => JSON.parse(line),
  );
  return {
    registered: head.registered,
    taken: head.taken,
    outgoing: parts.flatMap(({ outgoing }) => outgoing ?? []),
    waiting: parts.flatMap(({ waiting }) => (waiting ? [readBatch(waiting)] : [])),
  };
}

/** The store of usage that is not sent yet. */
export function createUsageFile(store: StateStore, upstreamUrl: string | undefined) {
  const upstream = nameOf(upstreamUrl);
  /** The ids of batches that were sent, and that may still be in the stored usage. */
  const sent = new Set<string>();
  let composing: Promise<string> | string = '';

  async function readSent(): Promise<readonly string[]> {
    try {
      const text = await store.read('sent');
      return text === undefined ? [] : (unsealed(text).ids as string[]);
    } catch {
      // It is sent again, under the same id.
      return [];
    }
  }

  return {
    async write(usage: UnsentUsage): Promise<void> {
      const sentBefore = [...sent];
      composing = inSlices(linesOf(upstream, usage));
      const text = await composing;
      composing = '';
      await store.write('usage', () => text);
      for (const id of sentBefore) sent.delete(id);
    },
    /** Resolves when no text is being made, in which one half would have a change and the other half not. */
    async idle(): Promise<void> {
      await composing;
    },
    /** Remembers that a batch was sent, which takes less than to write the rest again. */
    async markSent(id: string): Promise<void> {
      sent.add(id);
      if (sent.size > mostSent) sent.delete(sent.values().next().value as string);
      await store.write('sent', () => sealed({ ids: [...sent] }));
    },
    async read(): Promise<UnsentUsage | undefined> {
      const text = await store.read('usage');
      if (text === undefined) return undefined;
      const { outgoing, ...usage } = readLines(text, upstream);
      for (const id of await readSent()) sent.add(id);
      return { ...usage, outgoing: outgoing.filter(({ body }) => !sent.has(body.batchId)) };
    },
  };
}
