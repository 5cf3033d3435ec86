import { useEffect, useState } from 'react';

/** The most changes that can be on their way to the URL at once. */
const maxPending = 20;

interface PendingInput<Value> {
  readonly value: Value;
  /** Earlier values of the URL. */
  readonly before: readonly string[];
}

const keyOf = (value: unknown): string => String(JSON.stringify(value));

/** A typed value that is in the URL: the field shows it at once, and the URL follows a moment later. */
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
