import { Select, Text, TextInput } from '@mantine/core';
import { CreatePersonalTokenSchema } from '../../../../src/modules/access/personal-tokens/contract.ts';
import type { Request, Response } from '../../api.ts';
import type { Read } from '../../queries.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { expiryOf, terms } from './terms.ts';

interface Props {
  readonly title: string;
  readonly placeholder: string;
  /** How long most tokens of this kind are needed. */
  readonly usualTerm: string;
  /** Whose permissions it has. */
  readonly note: string;
  readonly send: (
    body: Request<'POST /api/admin/user/tokens'>['body'],
  ) => Promise<Response<'POST /api/admin/user/tokens'>>;
  readonly refreshes: readonly Read[];
  readonly onClose: () => void;
}

/** A token that acts as an account: one's own, or a service account. */
export function CreatePersonalToken(props: Props) {
  const { title, placeholder, usualTerm, note, send, refreshes, onClose } = props;
  const saving = useSaveForm({
    initialValues: { description: '', term: usualTerm },
    schema: CreatePersonalTokenSchema,
    bodyOf: ({ description, term }) => ({
      description: description.trim(),
      expiresAt: expiryOf(term),
    }),
    send,
    refreshes,
  });
  const secret = saving.result?.secret;
  if (secret !== undefined) {
    return (
      <ShownOnce title={title} what="token" onClose={onClose}>
        <Copyable text={secret} label="Copy the token" testId="secret" />
        <Text size="sm">{note} To try it:</Text>
        <Copyable
          text={`curl -H 'Authorization: ${secret}' ${new URL('api/admin/projects', document.baseURI).href}`}
          label="Copy the command"
        />
      </ShownOnce>
    );
  }
  return (
    <FormDialog title={title} action="Create token" size="lg" sending={saving} onClose={onClose}>
      <TextInput
        label="What it is for"
        placeholder={placeholder}
        required
        maxLength={255}
        data-autofocus
        {...saving.form.getInputProps('description')}
      />
      <Select
        label="Expires"
        allowDeselect={false}
        data={terms}
        {...saving.form.getInputProps('term')}
      />
    </FormDialog>
  );
}
