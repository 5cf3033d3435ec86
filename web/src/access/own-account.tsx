import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, basePath } from '../api.ts';
import { useMe, useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { Form } from '../sign-in/form.tsx';
import { confirmedPassword, newPasswordFields } from '../sign-in/new-password.ts';
import { tellDone } from '../ui/notices.tsx';
import { Section } from './section.tsx';

function Identity() {
  const { user } = useMe();
  const refusal = useRefusal('ADMIN');
  const [name, setName] = useState(user.name ?? '');
  const rename = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/user-admin/:id', { params: { id: String(user.id) }, body: { name } }),
    onSuccess: async () => {
      await invalidate('GET /api/admin/user');
      tellDone({ id: 'own name', title: 'Name updated' });
    },
  });
  return (
    <Section title="Profile">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <img
          src={`${basePath}avatars/${user.id}.svg`}
          alt=""
          width={56}
          height={56}
          style={{ borderRadius: '50%' }}
        />
        <form
          style={{ flex: 1, minWidth: 0 }}
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <Stack gap="sm">
            <Group align="flex-end" gap="sm">
              <TextInput
                label="Name"
                flex={1}
                miw={160}
                value={name}
                readOnly={refusal !== undefined}
                error={rename.error?.message}
                {...(refusal !== undefined && {
                  description: 'Ask an admin to change your name',
                })}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              {refusal === undefined && (
                <Button
                  type="submit"
                  variant="default"
                  disabled={name === (user.name ?? '')}
                  loading={rename.isPending}
                >
                  Save
                </Button>
              )}
            </Group>
            {user.username && (
              <Text size="sm">
                <span className="quiet">Username</span> {user.username}
              </Text>
            )}
            {user.email && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <span className="quiet">Email</span> {user.email}
              </Text>
            )}
          </Stack>
        </form>
      </Group>
    </Section>
  );
}

function Password() {
  const [changes, setChanges] = useState(0);
  const ways = useQuery(read('GET /auth/providers', {})).data;
  if (ways?.password === false) {
    return (
      <Section title="Password">
        <Text size="sm">Password sign-in is disabled. You sign in with single sign-on.</Text>
      </Section>
    );
  }
  return (
    <Section title="Password" lead="Changing your password signs you out everywhere else.">
      {changes > 0 && (
        <Alert color="teal" role="status">
          Password changed. You've been signed out everywhere else.
        </Alert>
      )}
      <Form
        // A new form has empty fields.
        key={changes}
        withoutFocus
        fields={[
          {
            name: 'oldPassword',
            label: 'Current password',
            type: 'password',
            autoComplete: 'current-password',
          },
          ...newPasswordFields,
        ]}
        button="Change password"
        onSubmit={async ({ oldPassword = '', ...values }) => {
          const password = confirmedPassword(values);
          await api('POST /api/admin/user/change-password', { body: { oldPassword, password } });
          setChanges(changes + 1);
          await invalidate('GET /api/admin/user/sessions');
        }}
      />
    </Section>
  );
}

export const OwnAccount = () => (
  <Stack maw={560}>
    <Identity />
    <Password />
  </Stack>
);
