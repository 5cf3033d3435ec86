import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { fieldsOf, wordsOf } from './words.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autoComplete: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly value?: string;
  readonly isFixed?: boolean;
}

type Values = Readonly<Record<string, string>>;

interface Props {
  readonly fields: readonly Field[];
  readonly button: string;
  /** What it throws is shown above the button, and marks the fields that it is about. */
  readonly onSubmit: (values: Values) => Promise<void>;
  readonly children?: ReactNode;
  /** For a form that is only a part of its page. */
  readonly withoutFocus?: boolean;
}

/** Thrown by `onSubmit` if a field is wrong before anything is sent. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Fields and a button, sent once at a time. The fields keep their own values, so that what a password manager fills in
 * counts too.
 */
export function Form({ fields, button, onSubmit, children, withoutFocus }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string>();
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const firstEmpty = withoutFocus ? undefined : fields.find(({ value = '' }) => value === '')?.name;

  function refuse(message: string, names: readonly string[]) {
    setProblem(message);
    setWrong(names);
    const first = fields.find(({ name }) => names.includes(name));
    form.current?.querySelector<HTMLInputElement>(`[name="${first?.name}"]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(
      fields.map(({ name }) => [name, String(data.get(name) ?? '')]),
    );
    const missing = fields.filter(({ name, isOptional }) => !isOptional && values[name] === '');
    if (missing.length > 0) {
      refuse(
        'Fill in all required fields',
        missing.map(({ name }) => name),
      );
      return;
    }
    setProblem(undefined);
    setWrong([]);
    setSending(true);
    try {
      await onSubmit(values);
    } catch (error) {
      refuse(wordsOf(error), error instanceof FieldError ? [error.field] : fieldsOf(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        {fields.map(({ name, label, type = 'text', autoComplete, hint, ...field }) => {
          const Input = type === 'password' ? PasswordInput : TextInput;
          return (
            <Input
              key={name}
              name={name}
              label={field.isOptional ? `${label} (optional)` : label}
              autoComplete={autoComplete}
              defaultValue={field.value}
              readOnly={field.isFixed}
              error={wrong.includes(name)}
              aria-invalid={wrong.includes(name) || undefined}
              autoFocus={name === firstEmpty}
              data-autofocus={name === firstEmpty || undefined}
              {...(hint !== undefined && { description: hint })}
              {...(type === 'email' && { type: 'email' })}
              {...(type === 'text' && { autoCapitalize: 'none', spellCheck: false })}
            />
          );
        })}
        {problem !== undefined && (
          <Alert color="red" role="alert" className="problem">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isSending}>
          {button}
        </Button>
        {children}
      </Stack>
    </form>
  );
}
