import type { Snapshot } from '../../modules/sdk/snapshot/index.ts';
import { unavailable } from '../../platform/errors.ts';
import type { Feed, Receiver, TokenLookup } from '../hub/feed.ts';
import { emptySnapshot } from '../hub/merge.ts';
import { type ToPrimary, type ToWorker, updated } from './messages.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** The hub, which is in another process. */
export function connectToHub(): Feed & { readonly metrics: () => Promise<string> } {
  const waiting = new Map<number, Waiting>();
  const receivers: Receiver[] = [];
  let snapshot: Snapshot = emptySnapshot;
  let asked = 0;

  const send = (message: ToPrimary) => void process.send?.(message);

  const ask = <Value>(message: (id: number) => ToPrimary): Promise<Value> =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      send(message(asked));
    });

  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'snapshot':
        snapshot = updated(snapshot, message.update);
        for (const { onSnapshot } of receivers) onSnapshot(snapshot);
        return;
      case 'tokens':
        for (const { onTokens } of receivers) onTokens(message.tokens);
        return;
      case 'freshness':
        for (const { onFreshness } of receivers) onFreshness(message.freshness);
        return;
      case 'usage':
        for (const { onUsage } of receivers) onUsage(message.usage);
        return;
      case 'answer': {
        const found = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.refusal === undefined) found?.resolve(message.value as never);
        else found?.reject(unavailable(message.refusal));
      }
    }
  });

  return {
    follow(receiver) {
      receivers.push(receiver);
      send({ kind: 'follow' });
      return () => void receivers.splice(receivers.indexOf(receiver), 1);
    },
    find: (secrets, address) => ask<TokenLookup>((id) => ({ kind: 'find', id, secrets, address })),
    store: (batch) => ask<void>((id) => ({ kind: 'store', id, batch })),
    report: (report) => send({ kind: 'report', report }),
    metrics: () => ask<string>((id) => ({ kind: 'metrics', id })),
  };
}
