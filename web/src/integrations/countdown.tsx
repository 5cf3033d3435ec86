import { useSyncExternalStore } from 'react';
import { exactTime } from '../ui/dates.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { countdown } from './words.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all that is counted down; it stands still while nothing is. */
function followSeconds(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const second = () => Math.floor(Date.now() / 1_000);

/** How long it is until then, second by second. */
export function Countdown({ until }: { readonly until: string }) {
  const now = useSyncExternalStore(followSeconds, second);
  return (
    <Tooltip label={exactTime(until)}>
      <time dateTime={until} className="tabular">
        {countdown(new Date(until), new Date(now * 1_000))}
      </time>
    </Tooltip>
  );
}
