import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, Proposed } from '../api.ts';
import { invalidate, type Read } from '../queries.ts';
import { faultMessage } from './fault-message.ts';
import { fieldAt, schemaFaults } from './schema-faults.ts';

export interface SaveOptions<Body, Result> {
  /** The contract's schema of the body. */
  readonly schema: object | undefined;
  readonly send: (body: Body) => Promise<Result>;
  /** The reads that show something else afterwards. */
  readonly refreshes: readonly Read[];
  readonly onSaved?: (result: Result) => unknown;
  /** The change needs approval and was added to the user's draft. */
  readonly onProposed?: () => unknown;
}

interface Fields {
  readonly setFaults: (faults: Record<string, string>) => void;
  /** Faults that are shown now, by field. A field that is changed loses its fault. */
  readonly faults: Readonly<Record<string, unknown>>;
  /** Whether the form shows the faults of a field at the field. */
  readonly isField: (field: string) => boolean;
}

export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);

/** The first fault of a field, or of something in it. */
export const faultIn = (
  faults: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined =>
  Object.entries(faults).find(([path]) => isWithin(path, field))?.[1] as string | undefined;

/** The faults that remain when a field is changed. */
export const faultsOutside = <Fault>(
  faults: Readonly<Record<string, Fault>>,
  field: string,
): Record<string, Fault> =>
  Object.fromEntries(Object.entries(faults).filter(([path]) => !isWithin(path, field)));

/** What the server rejected, by field. */
const serverFaults = (error: Error | null): Record<string, string> =>
  Object.fromEntries(
    (error instanceof ApiError ? error.faults : []).flatMap(({ path, message }) =>
      path?.startsWith('/body/')
        ? [[fieldAt(path.slice('/body'.length)), faultMessage(message)]]
        : [],
    ),
  );

/**
 * Sends what a form says. The contract's schema checks the body first; what it or the server rejects is shown at the
 * fields, and the rest as `error`.
 */
export function useSaveMutation<Body extends object, Result>(
  { schema, send, refreshes, onSaved, onProposed }: SaveOptions<Body, Result>,
  { faults, setFaults, isField }: Fields,
) {
  const [failure, setFailure] = useState<object>();
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      await invalidate(...refreshes);
      await onSaved?.(result);
    },
    onError: async (error) => {
      if (error instanceof Proposed) await onProposed?.();
    },
  });
  const unseen = Object.entries(faults).find(([field]) => !isField(field));
  const isShown = Object.keys(serverFaults(sending.error)).some(isField);
  return {
    result: sending.data,
    isPending: sending.isPending,
    isSuccess: sending.isSuccess,
    /** Why the last save failed: a new value each time. */
    failure,
    /** What no field shows. */
    error:
      sending.error && !isShown
        ? sending.error
        : unseen
          ? new Error(`${unseen[0]}: ${unseen[1]}`)
          : null,
    reset: () => {
      setFaults({});
      sending.reset();
    },
    save: (body: Body) => {
      const found = schema ? schemaFaults(schema, body) : [];
      setFaults(Object.fromEntries(found.map(({ field, message }) => [field, message])));
      if (found.length === 0) {
        // Not after a reset: what was sent is no longer in the fields.
        sending.mutate(body, {
          onError: (error) => {
            setFaults(serverFaults(error));
            setFailure(error);
          },
        });
      } else {
        setFailure(found);
        sending.reset();
      }
    },
  };
}
