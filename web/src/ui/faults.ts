import { type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '../api.ts';
import { faultMessage } from './fault-message.ts';

/** What the server says about one field of a body: `fieldFault(error, 'featureNaming/pattern')`. */
export function fieldFault(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const path = `/body/${field}`;
  const fault = error.faults.find((each) => each.path === path);
  return fault && faultMessage(fault.message);
}

/** The words of an error that belongs to none of the fields that show theirs. */
export function formFault(error: unknown, fields: readonly string[]): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return fields.some((field) => fieldFault(error, field) !== undefined) ? undefined : error.message;
}

/** A field of passwords marks its frame. */
const refused = ':is(input, textarea)[aria-invalid="true"], [data-error] input';

/** Moves to the first field that the server refused: in a long form it may be out of sight. */
export function useFocusOnFault<Form extends HTMLElement>(error: unknown): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>(refused)?.focus();
  }, [error]);
  return form;
}
