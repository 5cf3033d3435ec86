import { useEffect, useState } from 'react';

/** As many changes as may be on their way into the address at once. */
const maxPending = 20;

interface PendingInput<Value> {
  readonly value: Value;
  /** What the address said before it says this. */
  readonly before: readonly string[];
}

const keyOf = (value: unknown): string => String(JSON.stringify(value));

/** A value of the address that somebody types: a field shows it at once, and the address follows a moment later. */
export function useUrlState<Value>(
  value: Value,
  write: (value: Value) => void,
): [Value, (value: Value) => void] {
  const [typed, setTyped] = useState<PendingInput<Value>>();
  const now = keyOf(value);
  const isThere = typed !== undefined && keyOf(typed.value) === now;
  useEffect(() => {
    if (isThere) setTyped(undefined);
  }, [isThere]);
  const set = (next: Value) => {
    setTyped((last) => ({
      value: next,
      before: [...(last ? [...last.before, keyOf(last.value)] : []), now].slice(-maxPending),
    }));
    write(next);
  };
  return [typed?.before.includes(now) ? typed.value : value, set];
}
