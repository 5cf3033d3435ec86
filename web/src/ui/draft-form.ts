import type { ChangeEvent } from 'react';
import { useState } from 'react';
import { useDraft } from './draft.ts';
import { type SaveOptions, useSaveMutation } from './save-mutation.ts';

interface Options<Values, Body, Result> extends SaveOptions<Body, Result> {
  readonly saved: Values;
  /** The body of the request. A field and the property that it fills have the same name. */
  readonly bodyOf: (values: Values, changed: readonly (keyof Values)[]) => Body;
  /** The fields that show their faults; all, if not said. */
  readonly fields?: readonly (keyof Values & string)[];
}

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
    },
    { faults, setFaults, isField: (field) => (fields as readonly string[]).includes(field) },
  );
  const set: typeof draft.set = (field, value) => {
    draft.set(field, value);
    setFaults(({ [field as string]: _, ...others }) => others);
  };
  return {
    ...draft,
    ...saving,
    set,
    save: () => save(bodyOf(draft.values, draft.changed)),
    discard: () => {
      draft.discard();
      reset();
    },
    errorAt: (field: keyof Values & string): string | undefined => faults[field],
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
