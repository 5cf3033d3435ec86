import { Text, TextInput } from '@mantine/core';
import { CreatePersonalTokenSchema } from '../../../../src/modules/access/personal-tokens/contract.ts';
import type { Request, Response } from '../../api.ts';
import type { Read } from '../../queries.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { expiryOf } from './expires.ts';
import { ExpiresSelect } from './expires-select.tsx';

interface Props {
  readonly title: string;
  readonly placeholder: string;
  /** For how many days most tokens of this kind are needed. */
  readonly usualDays: string;
  /** Whose permissions it has. */
  readonly note: string;
  readonly send: (
    body: Request<'POST /api/admin/user/tokens'>['body'],
  ) => Promise<Response<'POST /api/admin/user/tokens'>>;
  readonly refreshes: readonly Read[];
  readonly onClose: () => void;
}

/** A new token of the user, or of a service account. */
export function CreatePersonalToken(props: Props) {
  const { title, placeholder, usualDays, note, send, refreshes, onClose } = props;
  const saving = useSaveForm({
    initialValues: { description: '', expires: usualDays },
    schema: CreatePersonalTokenSchema,
    bodyOf: ({ description, expires }) => ({
      description: description.trim(),
      expiresAt: expiryOf(expires),
    }),
    send,
    refreshes,
  });
  const secret = saving.result?.secret;
  if (secret !== undefined) {
    return (
      <ShownOnce title={title} what="token" onClose={onClose}>
        <Copyable text={secret} label="Copy token" testId="secret" />
        <Text size="sm">{note} Try it:</Text>
        <Copyable
          text={`curl -H 'Authorization: ${secret}' ${new URL('api/admin/projects', document.baseURI).href}`}
          label="Copy command"
        />
      </ShownOnce>
    );
  }
  return (
    <FormDialog title={title} action="Create token" size="lg" sending={saving} onClose={onClose}>
      <TextInput
        label="Description"
        placeholder={placeholder}
        required
        maxLength={255}
        data-autofocus
        {...saving.form.getInputProps('description')}
      />
      <ExpiresSelect {...saving.form.getInputProps('expires')} />
    </FormDialog>
  );
}
