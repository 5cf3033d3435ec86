import { useState } from 'react';
import { isSame } from './is-same.ts';

interface Edit {
  /** What the server had when the field was first changed. */
  readonly base: unknown;
  readonly value: unknown;
}

/**
 * Unsaved changes. Fields that were not edited follow the server; fields that someone else changed as well are
 * reported as `disputed`. `@mantine/form` compares with the values of one moment, and can do neither.
 */
export function useDraft<Form extends object>(saved: Form) {
  const [edits, setEdits] = useState<Partial<Record<keyof Form, Edit>>>({});
  const fields = Object.keys(saved) as (keyof Form)[];
  const values = { ...saved };
  for (const field of fields) {
    const edit = edits[field];
    if (edit) values[field] = edit.value as Form[typeof field];
  }
  return {
    values,
    changed: fields.filter((field) => !isSame(values[field], saved[field])),
    /** Fields that someone else changed after they were edited here. */
    disputed: fields.filter((field) => {
      const edit = edits[field];
      return edit && !isSame(edit.base, saved[field]) && !isSame(edit.value, saved[field]);
    }),
    set: <Field extends keyof Form>(field: Field, value: Form[Field]) =>
      setEdits((before) => ({
        ...before,
        [field]: { base: before[field]?.base ?? saved[field], value },
      })),
    discard: () => setEdits({}),
    /** Drops the changes of these fields, so that they show what the server has. */
    drop: (dropped: readonly (keyof Form)[]) =>
      setEdits((before) => {
        const left = { ...before };
        for (const field of dropped) delete left[field];
        return left;
      }),
  };
}
