import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../platform/errors.ts';
import { isRefusedContent } from '../upstream/requests.ts';

/** Upstreams accept 1,000 at once. */
const mostAtOnce = 100;
/** One address looks up so many at once; an edge with many tokens asks in parts. */
const mostOfAddress = 200;
/** Of all addresses: 2 MB. */
const mostWaiting = 10_000;
/** Between two requests: invented tokens must not become load of the upstream. */
const pauseMs = 100;
/** Of one address, without an answer in between. Eight find one token in 100; more mean that everything is refused. */
const mostRefusals = 15;

/** What the clients of an address wait for. */
interface Line {
  readonly address: string;
  readonly waiting: Waiting[];
  /** The upstream refused the first ones. They are asked about in parts of these sizes, without those of others. */
  readonly parts: number[];
  refusals: number;
}

interface Waiting {
  readonly secret: string;
  readonly line: Line;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Where the lookups of another address begin, as near to the middle as possible. Undefined if all are of one. */
function borderOf(part: readonly Waiting[]): number | undefined {
  const borders = [...part.keys()].filter((at) => at > 0 && part[at]?.line !== part[at - 1]?.line);
  const fromMiddle = (at: number) => Math.abs(at - part.length / 2);
  return borders.sort((a, b) => fromMiddle(a) - fromMiddle(b))[0];
}

export interface Lookups {
  /** Resolves when the upstream has answered about the secret. Rejects if it has not, or if too many wait. */
  readonly ask: (secret: string, address: string) => Promise<void>;
}

/**
 * Asks the upstream about secrets that clients sent, many at once, and addresses in turn: clients can invent any number
 * of tokens, and others should not wait for them. If the upstream refuses a request for one of its secrets, only the
 * address that sent it waits until that one is found: its parts take turns with the requests for others.
 */
export function createLookups(validate: (secrets: readonly string[]) => Promise<void>): Lookups {
  /** The first one is next. */
  const lines = new Map<string, Line>();
  let count = 0;
  let isRunning = false;
  /** Also counts when nothing waited in between: one client that invents tokens one by one asks as often as many. */
  let notBeforeMs = Number.NEGATIVE_INFINITY;

  function takeOf(line: Line, most: number): Waiting[] {
    lines.delete(line.address);
    lines.set(line.address, line);
    const taken = line.waiting.splice(0, most);
    count -= taken.length;
    return taken;
  }

  /** Takes a refused part of the next address, or of all other addresses the oldest one, then the next one of each. */
  function takeFairly(): Waiting[] {
    const [next] = lines.values();
    const size = next?.parts.shift();
    if (next && size !== undefined) return takeOf(next, size);
    let open = [...lines.values()].filter(({ parts }) => parts.length === 0);
    const taken: Waiting[] = [];
    while (open.length > 0 && taken.length < mostAtOnce) {
      for (const line of open.slice(0, mostAtOnce - taken.length)) taken.push(...takeOf(line, 1));
      open = open.filter(({ waiting }) => waiting.length > 0);
    }
    return taken;
  }

  /** Lets the halves of a refused part of one address wait for their turns. */
  function putBack(part: readonly Waiting[], line: Line, error: unknown): void {
    line.refusals += 1;
    if (part.length === 1 || line.refusals >= mostRefusals) {
      for (const { reject } of part) reject(error);
      return;
    }
    const half = Math.ceil(part.length / 2);
    line.parts.unshift(half, part.length - half);
    line.waiting.unshift(...part);
    count += part.length;
  }

  const awaitTurn = async (): Promise<void> => {
    const waitMs = notBeforeMs - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
  };

  /** If the upstream refuses a request, it is asked about fewer addresses at once, down to the one with the reason. */
  async function answer(taken: readonly Waiting[]): Promise<void> {
    const parts = [taken.toSorted((a, b) => a.line.address.localeCompare(b.line.address))];
    for (let part = parts.shift(); part; part = parts.shift()) {
      await awaitTurn();
      try {
        await validate([...new Set(part.map(({ secret }) => secret))]);
        for (const { line, resolve } of part) {
          line.refusals = 0;
          resolve();
        }
      } catch (error) {
        const border = borderOf(part);
        if (!isRefusedContent(error)) for (const { reject } of part) reject(error);
        else if (border !== undefined) parts.push(part.slice(0, border), part.slice(border));
        else putBack(part, (part[0] as Waiting).line, error);
      }
      notBeforeMs = performance.now() + pauseMs;
    }
  }

  async function run(): Promise<void> {
    while (lines.size > 0) {
      await awaitTurn();
      const taken = takeFairly();
      await answer(taken);
      for (const { line } of taken) if (line.waiting.length === 0) lines.delete(line.address);
    }
    isRunning = false;
  }

  return {
    ask: (secret, address) =>
      new Promise((resolve, reject) => {
        const line = lines.get(address) ?? { address, waiting: [], parts: [], refusals: 0 };
        if (line.waiting.length >= mostOfAddress || count >= mostWaiting) {
          throw unavailable('Too many unknown tokens are being looked up. Try again later');
        }
        line.waiting.push({ secret, line, resolve, reject });
        lines.set(address, line);
        count += 1;
        if (isRunning) return;
        isRunning = true;
        // What arrives meanwhile is asked about together.
        void Promise.resolve().then(run);
      }),
  };
}
