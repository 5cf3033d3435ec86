import type { ChangeEvent } from 'react';
import { useState } from 'react';
import { Proposed } from '../api.ts';
import { useDraft } from './draft.ts';
import {
  faultIn,
  faultsOutside,
  isWithin,
  type SaveOptions,
  useSaveMutation,
} from './save-mutation.ts';

interface Options<Values, Body, Result> extends SaveOptions<Body, Result> {
  readonly saved: Values;
  /** The body of the request. A field and the property that it fills have the same name. */
  readonly bodyOf: (values: Values, changed: readonly (keyof Values)[]) => Body;
  /** The fields that show their faults, with those inside them; all, if not said. */
  readonly fields?: readonly Path<Values>[];
}

type Path<Values> = (keyof Values & string) | `${keyof Values & string}.${string}`;

type FieldOf<Values, Type> = {
  [Name in keyof Values & string]: Values[Name] extends Type ? Name : never;
}[keyof Values & string];

/**
 * The form of a page: changes over what the server has, saved by one request. Changes of others are followed, and those
 * that collide are known as `disputed`.
 */
export function useDraftForm<Values extends object, Body extends object, Result = unknown>({
  saved,
  bodyOf,
  fields = Object.keys(saved) as (keyof Values & string)[],
  ...options
}: Options<Values, Body, Result>) {
  const draft = useDraft(saved);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const { save, reset, ...saving } = useSaveMutation(
    {
      ...options,
      onSaved: async (result) => {
        draft.discard();
        await options.onSaved?.(result);
      },
      onProposed: () => {
        draft.discard();
        options.onProposed?.();
      },
    },
    { faults, setFaults, isField: (path) => fields.some((field) => isWithin(path, field)) },
  );
  const set: typeof draft.set = (field, value) => {
    draft.set(field, value);
    setFaults((before) => faultsOutside(before, String(field)));
  };
  return {
    ...draft,
    ...saving,
    // A notification says that it was proposed.
    error: saving.error instanceof Proposed ? null : saving.error,
    set,
    save: () => save(bodyOf(draft.values, draft.changed)),
    discard: () => {
      draft.discard();
      reset();
    },
    errorAt: (path: Path<Values>): string | undefined => faultIn(faults, path),
    textProps: (field: FieldOf<Values, string>) => ({
      value: draft.values[field] as string,
      error: faults[field],
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(field, currentTarget.value as Values[typeof field]),
    }),
    checkedProps: (field: FieldOf<Values, boolean>) => ({
      checked: draft.values[field] as boolean,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
        set(field, currentTarget.checked as Values[typeof field]),
    }),
  };
}
