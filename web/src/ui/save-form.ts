import { useForm } from '@mantine/form';
import { type SaveOptions, useSaveMutation } from './save-mutation.ts';
import { schemaFaults } from './schema-faults.ts';

interface Options<Values, Body, Result> extends SaveOptions<Body, Result> {
  readonly initialValues: Values;
  /** The body of the request. A field and the property that it fills have the same name. */
  readonly bodyOf: (values: Values) => Body;
}

/** A form in a dialog. What was typed stays until the request has succeeded. */
export function useSaveForm<
  Values extends Record<string, unknown>,
  Body extends object,
  Result = unknown,
>({ initialValues, bodyOf, ...options }: Options<Values, Body, Result>) {
  const form = useForm<Values>({ initialValues });
  const isField = (path: string): boolean => {
    const value = path
      .split('.')
      .reduce<unknown>((inner, key) => (inner as Values | undefined)?.[key], form.values);
    return value !== undefined && typeof value !== 'object';
  };
  const { save, ...saving } = useSaveMutation(options, {
    faults: form.errors,
    setFaults: form.setErrors,
    isField,
  });
  const missing = options.schema
    ? schemaFaults(options.schema, bodyOf(form.values)).filter(({ isMissing }) => isMissing)
    : [];
  return {
    ...saving,
    form,
    /** Whether everything that is required is filled in. */
    isReady: missing.length === 0,
    mutate: () => save(bodyOf(form.getValues())),
  };
}
