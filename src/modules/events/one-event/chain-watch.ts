import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '../../../platform/module.ts';
import { createSlices } from '../../../platform/slices.ts';
import { contentOf, fits, listStored } from '../proof/chain.ts';
import { readEnds } from './queries.ts';

/** How far the log is verified. */
export interface ChainState {
  /** The first event of the retained log. */
  readonly firstId: number;
  readonly through: number;
  readonly at: Date | undefined;
  readonly fault: { readonly eventId: number; readonly message: string } | undefined;
}

interface Walk {
  /** The walk began after this event. */
  readonly anchor: number;
  readonly begunAt: Date;
  through: number;
  hash: Buffer;
  at: Date | undefined;
  fault: ChainState['fault'];
}

/** Reading and hashing so many takes about 10 ms. */
const batchSize = 200;
/** A request waits so long for the walk, which suffices for a log of some thousand events. */
const patienceMs = 150;
/** The walk takes at most a third of one connection and of one core. */
const restShare = 2;
/** An older walk no longer counts, because events may have been altered since. */
const freshMs = 60 * 60_000;

/**
 * Walks the log from its beginning and remembers how far it is intact. It walks only while someone asks: each request
 * lets it go on until the end of the log. A million events take some minutes, in the background.
 */
export function createChainWatch({
  searchDb,
  clock,
  log,
  stopping,
}: Pick<Services, 'searchDb' | 'clock' | 'log' | 'stopping'>) {
  let walk: Walk | undefined;
  /** The last walk that reached the end, while the next one is on its way. */
  let finished: Walk | undefined;
  let running: Promise<void> | undefined;

  async function begin(): Promise<Walk> {
    const { anchor, anchorHash, head } = await readEnds(searchDb);
    const isOld =
      walk !== undefined &&
      walk.through >= head &&
      Math.abs(clock().getTime() - walk.begunAt.getTime()) > freshMs;
    // Retention has removed what would come next.
    const isOvertaken = walk !== undefined && walk.through < anchor;
    if (walk && !isOld && !isOvertaken) return walk;
    finished = isOld ? walk : undefined;
    walk = {
      anchor,
      begunAt: clock(),
      through: anchor,
      hash: anchorHash,
      at: undefined,
      fault: undefined,
    };
    return walk;
  }

  /** Verifies the next events. Returns whether there may be more. */
  async function step(on: Walk): Promise<boolean> {
    const batch = await listStored(searchDb, { after: on.through, limit: batchSize });
    const slices = createSlices();
    for (const event of batch) {
      if (slices.isOver()) await slices.pause();
      const isNext = event.id === on.through + 1;
      if (!isNext || !fits(event.hash, event.id, on.hash, contentOf(event))) {
        const what = isNext
          ? `Event ${event.id} was modified after it was recorded`
          : `Event ${on.through + 1} is missing`;
        on.fault = { eventId: isNext ? event.id : on.through + 1, message: what };
        log.error(
          { eventId: on.fault.eventId },
          'event log integrity check failed: run burgee verify',
        );
        return false;
      }
      Object.assign(on, { through: event.id, hash: event.hash, at: clock() });
    }
    on.at = clock();
    return batch.length === batchSize;
  }

  async function run(): Promise<void> {
    const on = await begin();
    while (!stopping.aborted && !on.fault) {
      const began = performance.now();
      if (!(await step(on))) break;
      await pause((performance.now() - began) * restShare, undefined, { ref: false });
    }
    if (on === walk) finished = undefined;
  }

  const stateOf = (on: Walk): ChainState => ({
    firstId: on.anchor + 1,
    through: on.through,
    at: on.at,
    fault: on.fault,
  });

  return {
    /** Continues the verification, waits briefly, and returns its progress. */
    async state(): Promise<ChainState> {
      running ??= run()
        .catch((error) => {
          log.warn({ err: error }, 'could not read the event log to verify it');
        })
        .finally(() => {
          running = undefined;
        });
      await Promise.race([running, pause(patienceMs, undefined, { ref: false })]);
      const on = finished ?? walk;
      return on ? stateOf(on) : { firstId: 1, through: 0, at: undefined, fault: undefined };
    },
  };
}
