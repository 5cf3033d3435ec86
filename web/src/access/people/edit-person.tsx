import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { otherFault } from '../../ui/faults.ts';
import { tellDone } from '../../ui/notices.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { nameOfAccount } from '../account-words.ts';

interface Props {
  readonly user: Response<'GET /api/admin/user-admin'>['users'][number];
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** The name and the address of somebody. */
export function EditPerson({ user, onSaved, onClose }: Props) {
  const [name, setName] = useState(user.name ?? '');
  const [email, setEmail] = useState(user.email ?? '');
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/user-admin/:id', {
        params: { id: String(user.id) },
        body: {
          ...(name !== (user.name ?? '') && { name }),
          ...(email !== (user.email ?? '') && { email }),
        },
      }),
    onSuccess: async (saved) => {
      await onSaved();
      onClose();
      tellDone({ id: `person ${user.id}`, title: `${nameOfAccount(saved)} is saved` });
    },
  });
  const other = otherFault(save.error, ['name', 'email']);
  return (
    <Modal opened onClose={onClose} title={`Change ${nameOfAccount(user)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <TextField
            name="name"
            label="Name"
            maxLength={255}
            data-autofocus
            value={name}
            refused={save.error}
            onChange={setName}
          />
          <TextField
            name="email"
            label="E-mail address"
            type="email"
            maxLength={254}
            value={email}
            refused={save.error}
            onChange={setEmail}
          />
          {other !== undefined && (
            <Alert color="red" role="alert">
              {other}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
