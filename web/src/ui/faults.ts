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

/** A field of passwords marks its frame. */
const invalid = ':is(input, textarea)[aria-invalid="true"], [data-error] input';

/** Moves to the first invalid field: in a long form it may be out of sight. */
export function useFocusOnFault<Form extends HTMLElement>(
  failure: unknown,
): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>(invalid)?.focus();
  }, [failure]);
  return form;
}
